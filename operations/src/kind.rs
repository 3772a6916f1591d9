//! The kinds of operations, and the classes of objects that they work on.

/// The class of an object. Objects of different classes never conflict, even at one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No object.
    None,
    /// A thread, as it is created and joined.
    Thread,
    /// A mutex or spin lock.
    Mutex,
    /// A condition variable.
    Condition,
    /// A read-write lock.
    ReadWrite,
    /// A barrier.
    Barrier,
    /// A semaphore.
    Semaphore,
    /// An initialisation that happens once.
    Once,
    /// A word that threads wait at.
    Futex,
    /// Bytes of memory.
    Memory,
    /// Whether a thread has been asked to end.
    Cancellation,
    /// A name that processes find something by.
    Name,
    /// A queue of messages, or a pipe.
    Queue,
    /// The signals that a lane or a process has been sent and has not taken.
    Signals,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident: $class:ident = $text:literal,)*) => {
        /// What an operation does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind { $($(#[doc = $doc])* $name,)* }

        impl Kind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)*];

            /// The class of the object that it works on.
            pub fn class(self) -> Class {
                match self { $(Kind::$name => Class::$class,)* }
            }

            /// How people call it.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$name => $text,)* }
            }

            /// The kind of a number that comes from outside.
            pub fn of(number: u8) -> Option<Kind> {
                Kind::ALL.get(usize::from(number)).copied()
            }
        }
    };
}

kinds! {
    /// The first step of a thread.
    Start: None = "start",
    /// The last step of a thread.
    End: Thread = "end",
    /// A thread or process is created; the value is its lane.
    Create: None = "create",
    /// Waits for the end of a lane, which is the key.
    Join: Thread = "join",
    /// The process wants to exit; the value is its exit code. It can when no other lane can do anything.
    Exit: None = "exit",
    /// An assertion failed, or the lane aborted: it goes no further.
    Fail: None = "fail",
    /// A hint that other lanes should go on.
    Yield: None = "yield",
    /// A choice between 0 and the value, both included.
    Toss: None = "toss",
    /// A mutex becomes free.
    MutexInit: Mutex = "mutex init",
    /// Waits until it has the mutex.
    MutexLock: Mutex = "lock",
    /// Takes the mutex if it is free.
    MutexTry: Mutex = "trylock",
    /// Releases the mutex.
    MutexUnlock: Mutex = "unlock",
    /// A condition variable without waiters.
    ConditionInit: Condition = "condition init",
    /// Releases the mutex, which is the extra word, and queues up.
    ConditionEnter: Condition = "wait",
    /// Leaves with the mutex when signalled; the value is the ticket of the entry.
    ConditionLeave: Condition = "woken",
    /// Wakes the lane that has waited longest.
    ConditionSignal: Condition = "signal",
    /// Wakes all that wait.
    ConditionBroadcast: Condition = "broadcast",
    /// A free read-write lock.
    ReadWriteInit: ReadWrite = "rwlock init",
    /// Waits until it may read.
    ReadLock: ReadWrite = "read lock",
    /// Waits until it may write.
    WriteLock: ReadWrite = "write lock",
    /// Reads if there is no writer.
    ReadTry: ReadWrite = "try read lock",
    /// Writes if no reader or writer is there.
    WriteTry: ReadWrite = "try write lock",
    /// Gives back what it has.
    ReadWriteUnlock: ReadWrite = "rwlock unlock",
    /// A barrier for as many lanes as the value says.
    BarrierInit: Barrier = "barrier init",
    /// Arrives; the result is the generation.
    BarrierArrive: Barrier = "arrive",
    /// Leaves when the generation, which is the value, is complete.
    BarrierLeave: Barrier = "pass",
    /// A semaphore with a count, which is the value.
    SemaphoreInit: Semaphore = "semaphore init",
    /// Waits for a positive count and takes one.
    SemaphoreWait: Semaphore = "sem wait",
    /// Takes one if the count is positive.
    SemaphoreTry: Semaphore = "sem trywait",
    /// Adds one.
    SemaphorePost: Semaphore = "sem post",
    /// Reads the count.
    SemaphoreGet: Semaphore = "sem getvalue",
    /// Waits until no other lane is at it; the result says whether it has to be done.
    OnceBegin: Once = "once",
    /// It is done.
    OnceEnd: Once = "once done",
    /// It was given up, and is to be done by another lane.
    OnceAbort: Once = "once aborted",
    /// Queues up at a word if it has the expected value, which is the value; otherwise the result is -1.
    FutexWait: Futex = "futex wait",
    /// Leaves when woken; the value is the ticket.
    FutexLeave: Futex = "futex woken",
    /// Wakes as many as the value says.
    FutexWake: Futex = "futex wake",
    /// A plain read of as many bytes as the extra word says.
    Read: Memory = "read",
    /// A plain write.
    Write: Memory = "write",
    /// An atomic load.
    AtomicLoad: Memory = "atomic load",
    /// An atomic store; in an event, the value is what was there before.
    AtomicStore: Memory = "atomic store",
    /// An atomic read-modify-write; the result is 0 if it leaves what was there: if it compared and did not exchange, or
    /// set what was there already. The value is what it compares with; in an event of one that does not, what was there before.
    AtomicUpdate: Memory = "atomic update",
    /// As many bytes as the extra word says are given back.
    Free: Memory = "free",
    /// Asks a lane, which is the key, to end.
    Cancel: Cancellation = "cancel",
    /// Whether this lane, which is the key, has been asked to end.
    CancelTest: Cancellation = "test for cancel",
    /// Waits for the end of any of several lanes, whose set is the extra word and the value; the result is the lowest.
    JoinAny: Thread = "wait for any",
    /// Several changes of semaphores at once; see [`crate::pack_changes`].
    SemaphoreSet: Semaphore = "semop",
    /// Finds something by its name: 0; it is created: 1; it is not there: -1; it is there and should not be: -2.
    NameOpen: Name = "open",
    /// The name means nothing any more; the result is whether it did.
    NameRemove: Name = "unlink",
    /// Descriptors to read and to write by are added or taken away: a pair of numbers. Only who has one can add to it. The result is 1
    /// if nothing can read any more, 2 if nothing could read, or write, before.
    QueueEnds: Queue = "open or close",
    /// Puts as many units as the first half of the value says into a queue with as much room as the second half says.
    /// The result is their places, -1 if nothing can read them, -2 if there is no room.
    QueuePut: Queue = "send",
    /// Takes at most as many units as the first half of the value says. The result is their places, -2 if there are none.
    QueueGet: Queue = "receive",
    /// Waits until something can be taken from a queue (the extra word is 0) or put into it. The result is 1 if it can, 2
    /// if nothing is at the other end any more, 0 if neither.
    QueueReady: Queue = "poll",
    /// Whether a lane, which is the key, has ended: -1 if it has not.
    JoinTry: Thread = "tryjoin",
    /// Sends a signal, which is the value, to a lane or process that blocks it. The result is whether it was there already.
    SignalSend: Signals = "send signal",
    /// Waits for one of the signals in the value, sent to this lane or to its process, which is the extra word. The result is the
    /// signal, of those in the value the lowest, with a bit for the process; -1 if there is none.
    SignalTake: Signals = "sigwait",
    /// A lane blocks other signals than before; the extra word is its process.
    SignalMask: Signals = "change signal mask",
    /// Nothing. What the lane does next is not visible, and others may come before it.
    Pause: None = "pause",
}

impl Kind {
    /// Whether it is an access to memory.
    pub fn is_access(self) -> bool {
        self.class() == Class::Memory
    }

    /// Whether it begins or ends a lane, or waits for that.
    pub fn is_of_life(self) -> bool {
        matches!(self, Kind::Start | Kind::End | Kind::Create | Kind::Join | Kind::JoinAny | Kind::Exit)
    }

    /// Whether it is an atomic access.
    pub fn is_atomic(self) -> bool {
        matches!(self, Kind::AtomicLoad | Kind::AtomicStore | Kind::AtomicUpdate)
    }
}
