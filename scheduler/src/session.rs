//! A program under control: started once, it forks a process for each run.

use crate::cores::Core;
use crate::credible::{is_accounted_for, is_credible, is_sealed};
use crate::finding::WaitStatus;
use crate::folder::Folder;
use crate::idle::{is_idle, waiting_call};
use crate::members::Members;
use crate::nature::Nature;
use crate::plan::Plan;
use crate::record::{self, Record, Step};
use crate::sections::are_atomic;
use operations::Lane;
use operations::region::{self, Ending, input, lane, output};
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What is run.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The programs of a system, which are executed instead.
    pub members: Members,
    /// How long a lane may go on without a visible operation.
    pub patience: Duration,
    /// What it may use.
    pub limits: Limits,
}

/// What a program may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// How many bytes of memory each process may have.
    pub memory: Option<u64>,
    /// How many threads and processes a run may have.
    pub threads: Option<usize>,
    /// Whether it is kept from changing files and from the network.
    pub has_wall: bool,
}

impl Limits {
    /// What the region begins with.
    fn head(&self) -> [u64; input::WORDS] {
        let mut words = [0; input::WORDS];
        self.write(&mut words);
        words
    }

    /// Writes them to the head of the region.
    fn write(&self, words: &mut [u64]) {
        words[input::MEMORY] = self.memory.unwrap_or(0);
        words[input::LANES] = self.threads.unwrap_or(operations::MAX_LANES) as u64;
        words[input::SANDBOX] = self.has_wall.into();
    }
}

/// Why a program cannot be run.
#[derive(Debug)]
pub enum Failure {
    /// The operating system refused something.
    Io(String, io::Error),
    /// This is no system on which programs can be controlled.
    System,
    /// The program ended without the library having been asked anything.
    NotAttached(String),
    /// The program ended or hung before its first visible operation.
    NoOperation(String),
    /// The system gives the program no namespaces of its own.
    NoWall,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Io(what, error) => write!(f, "{what}: {error}"),
            Failure::System => f.write_str(
                "programs can be run under control on Linux with glibc on x86-64 only; models work everywhere",
            ),
            Failure::NotAttached(why) => write!(
                f,
                "the program cannot be controlled: {why}. Statically linked and setuid programs, scripts and programs in \
                 Go do not load the library that controls them; link dynamically against the C library"
            ),
            Failure::NoWall => f.write_str(
                "--sandbox needs namespaces for users and mounts, which this system does not give: allow them \
                 (kernel.unprivileged_userns_clone, user.max_user_namespaces), or run uwbmc in a container instead",
            ),
            Failure::NoOperation(why) => write!(f, "the program {why} before its first visible operation"),
        }
    }
}

pub(crate) fn io(what: impl fmt::Display) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::Io(what.to_string(), error)
}

/// What the library exits with if there can be no wall around the program.
const NO_WALL: i32 = 124;
/// The signal that cannot be caught.
const KILLED: i32 = 9;
/// Most programs have come to their first visible operation by then.
const SOON: Duration = Duration::from_millis(100);
/// How long a program may take up to its first visible operation.
const STARTUP: Duration = Duration::from_secs(60);
/// How often it is looked whether something has happened.
const POLL: Duration = Duration::from_millis(100);

/// How much of the output of a program is kept.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// A program under control.
#[derive(Debug)]
pub struct Session {
    command: Command,
    region: File,
    output: File,
    server: Option<Server>,
    maps: String,
    run: u64,
    nature: Nature,
    /// What a run waits in that does not go on.
    waiting_call: Option<String>,
    /// How many threads of the program are fibres; not known before the first run.
    fibres: Option<u64>,
    /// What the log of the last run was read into.
    log: Vec<u8>,
    halt: Halt,
}

/// Says whether there has to be an end, which a run that takes long has to notice.
struct Halt(Box<dyn Fn() -> bool>);

impl fmt::Debug for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Halt")
    }
}

/// A thread that has stopped for a debugger.
#[derive(Clone, Copy, Debug)]
pub struct Stopped {
    /// Its process.
    pub process: u32,
    /// The number that the system knows it by.
    pub thread: u32,
}

/// The process that runs are forked from.
#[derive(Debug)]
struct Server {
    child: Child,
    socket: UnixStream,
}

impl Drop for Server {
    fn drop(&mut self) {
        // The processes of a run die with the server.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    /// Starts a program, which waits at its first visible operation then.
    pub fn start(command: Command) -> Result<Session, Failure> {
        Session::start_on(command, Core::This)
    }

    /// Starts a program on a core.
    pub(crate) fn start_on(command: Command, core: Core) -> Result<Session, Failure> {
        if runtime::LIBRARY.is_empty() {
            return Err(Failure::System);
        }
        let mut folder = Folder::new()?;
        let (region, output) = (folder.region(&command.limits.head())?, folder.output()?);
        core.stay();
        let server = Server::start(&command, &mut folder)?;
        let maps = server.maps();
        let nature = Nature::of(&command.program);
        Ok(Session {
            command,
            region,
            output,
            server: Some(server),
            maps,
            run: 0,
            nature,
            fibres: None,
            log: Vec::new(),
            waiting_call: None,
            halt: Halt(Box::new(|| false)),
        })
    }

    /// Starts the program again, after it had to be killed. The numbers of lanes stay.
    fn restart(&mut self) -> Result<(), Failure> {
        let mut folder = Folder::new()?;
        let kept = self.words(0, region::object::START).map_err(io("the session"))?;
        (self.region, self.output) = (folder.region(&kept)?, folder.output()?);
        let server = Server::start(&self.command, &mut folder)?;
        self.maps = server.maps();
        self.server = Some(server);
        Ok(())
    }

    /// Runs end when the answer is that they have to, besides when they end by themselves.
    #[must_use]
    pub fn ending_when(self, is_over: impl Fn() -> bool + 'static) -> Session {
        Session { halt: Halt(Box::new(is_over)), ..self }
    }

    /// The threads of the program are threads of the system: slower, but a debugger sees them.
    #[must_use]
    pub fn without_fibres(self) -> Session {
        Session { fibres: Some(0), ..self }
    }

    /// Executes a run. The first one shows how many threads the program has; it is executed again, as all others are, with
    /// as many fibres: what is where in memory has to be the same in all runs.
    pub fn run(&mut self, plan: &Plan) -> Result<Record, Failure> {
        let record = self.run_once(plan)?;
        if self.fibres.is_some() || record.is_overwritten {
            return Ok(record);
        }
        let threads = if self.server.is_some() { self.threads().map_err(io("the session"))? } else { 0 };
        self.fibres = Some(threads);
        if threads == 0 { Ok(record) } else { self.run_once(plan) }
    }

    /// Executes a run among lanes that have their numbers already; none if there are others in it.
    pub(crate) fn run_among(
        &mut self,
        plan: &Plan,
        family: &[(Lane, u64)],
        fibres: u64,
    ) -> Result<Option<Record>, Failure> {
        self.fibres = Some(fibres);
        self.adopt(family).map_err(io("the session"))?;
        let record = self.run_once(plan)?;
        let known = self.words(input::KNOWN, 1).map_err(io("the session"))?[0];
        Ok((known as usize <= family.len()).then_some(record))
    }

    /// Gives the lanes their numbers.
    fn adopt(&self, family: &[(Lane, u64)]) -> io::Result<()> {
        self.write(input::KNOWN, &[family.len() as u64])?;
        for (number, (parent, child)) in family.iter().enumerate() {
            self.write(lane::START + number * lane::WORDS + lane::PARENT, &[parent.0.into(), *child])?;
        }
        Ok(())
    }

    /// How many threads of the program are fibres.
    pub(crate) fn fibres(&self) -> u64 {
        self.fibres.unwrap_or(0)
    }

    /// Whether the program is at the same addresses each time it is started.
    pub(crate) fn has_fixed_addresses(&self) -> bool {
        self.server.as_ref().is_some_and(Server::has_fixed_addresses)
    }

    /// How many threads the first process has created in the last run.
    fn threads(&self) -> io::Result<u64> {
        let known = (self.words(input::KNOWN, 1)?[0] as usize).clamp(1, operations::MAX_LANES);
        let words = self.words(lane::START, known * lane::WORDS)?;
        let (main, others) = words.split_at(lane::WORDS);
        let is_thread = |of: &&[u64]| of[lane::PROCESS] == main[lane::PROCESS];
        Ok(others.chunks_exact(lane::WORDS).filter(is_thread).count() as u64)
    }

    fn run_once(&mut self, plan: &Plan) -> Result<Record, Failure> {
        if self.server.is_none() {
            self.restart()?;
        }
        self.prepare(plan).map_err(io("the session"))?;
        let status = self.execute()?;
        if matches!(status, WaitStatus::Stopped | WaitStatus::Blocked | WaitStatus::Halted) {
            self.server = None;
        }
        let mut record = self.record(status).map_err(io("the session"))?;
        // A run that was stopped for other reasons says nothing, and can have been stopped anywhere.
        let is_cut = matches!(status, WaitStatus::Blocked | WaitStatus::Halted);
        record.is_overwritten = !is_cut && (record.is_overwritten || !is_credible(&record, plan));
        Ok(record)
    }

    /// Has a run executed up to the step before which its plan stops it; which thread stopped, if it comes there. The
    /// process goes with the session.
    pub fn stop(&mut self, plan: &Plan) -> Result<Option<Stopped>, Failure> {
        if self.server.is_none() {
            self.restart()?;
        }
        self.prepare(plan).map_err(io("the session"))?;
        let Some(server) = &mut self.server else { return Ok(None) };
        server.socket.write_all(b"r").map_err(io("the program's server"))?;
        loop {
            match server.socket.read_exact(&mut [0; 4]) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) => return Err(io("the program's server")(error)),
                Ok(()) => return Ok(None),
            }
            let words = words_at(&self.region, output::PROCESS, 2).map_err(io("the session"))?;
            if let (Ok(process @ 1..), Ok(thread)) = (u32::try_from(words[0]), u32::try_from(words[1])) {
                return Ok(Some(Stopped { process, thread }));
            }
        }
    }

    /// Executes a run by a program that is started again, unless it would be at other addresses then.
    pub fn run_afresh(&mut self, plan: &Plan) -> Result<Record, Failure> {
        if self.has_fixed_addresses() {
            self.server = None;
        }
        self.run(plan)
    }

    fn prepare(&mut self, plan: &Plan) -> io::Result<()> {
        self.run += 1;
        let known = self.words(input::KNOWN, 1)?[0];
        let mut words = plan.words(self.run, known);
        words[input::CANCELS] = self.nature.cancels.into();
        words[input::HIDDEN] = (!self.nature.shows_all_accesses()).into();
        words[input::SIGHT] = self.nature.sight() as u64;
        words[input::NUMBERED] = (!self.nature.names_processes).into();
        self.command.limits.write(&mut words);
        words[input::FIBRES] = self.fibres.unwrap_or(0);
        self.write(0, &words)?;
        self.write(region::TAPE, &plan.tape_words())
    }

    /// Has a run executed; how its process ended.
    fn execute(&mut self) -> Result<WaitStatus, Failure> {
        let patience = self.command.patience;
        let Some(server) = &mut self.server else { return Ok(WaitStatus::Stopped) };
        server.socket.write_all(b"r").map_err(io("the program's server"))?;
        let mut seen = (0, Instant::now());
        loop {
            let mut answer = [0; 4];
            match server.socket.read_exact(&mut answer) {
                Ok(()) => return Ok(WaitStatus::of(i32::from_ne_bytes(answer))),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) => return Err(io("the program's server")(error)),
            }
            if (self.halt.0)() {
                return Ok(WaitStatus::Halted);
            }
            let steps = words_at(&self.region, output::STEPS, 1).map_err(io("the session"))?[0];
            if steps != seen.0 {
                seen = (steps, Instant::now());
            }
            if seen.1.elapsed() > patience {
                if !is_idle(server.child.id(), patience) {
                    return Ok(WaitStatus::Stopped);
                }
                self.waiting_call = waiting_call(server.child.id());
                return Ok(WaitStatus::Blocked);
            }
        }
    }

    fn record(&mut self, status: WaitStatus) -> io::Result<Record> {
        let head = self.words(0, lane::START)?;
        let known = (head[input::KNOWN] as usize).min(operations::MAX_LANES);
        let steps = (head[output::STEPS] as usize).min(region::MAX_DEPTH);
        let names = (head[output::NAMES] as usize).min(region::name::COUNT);
        let bytes: Vec<u8> = head[output::TEXT..].iter().flat_map(|word| word.to_le_bytes()).collect();
        let length = (head[output::MESSAGE] as usize).min(output::TEXT_BYTES).min(bytes.len());
        let ending = Ending::of(head[output::ENDING]).unwrap_or(Ending::Unknown);
        let message = String::from_utf8_lossy(&bytes[..length]).into_owned();
        let (ending, message) = match ending {
            Ending::Complete if self.nature.is_panic(head[output::VALUE]) => (Ending::Assertion, "a panic".to_owned()),
            other if status == WaitStatus::Blocked => (other, self.waiting_call.take().unwrap_or_default()),
            other => (other, message),
        };
        // A process that is not the first ends the run by killing all of them.
        let is_over = ending != Ending::Unknown && status == WaitStatus::Signalled(KILLED);
        let status = match ending {
            Ending::Crash => WaitStatus::Signalled(head[output::VALUE] as i32),
            _ if is_over => WaitStatus::Exited(0),
            _ => status,
        };
        let current = if ending == Ending::Unknown { head[output::CURRENT] } else { head[output::LANE] };
        let steps = self.steps(steps)?;
        let lanes = self.words(lane::START, known * lane::WORDS)?;
        let is_whole = is_accounted_for(&head, &lanes) && is_sealed(&self.log, head[output::SEAL], status);
        Ok(Record {
            is_overwritten: !is_whole,
            is_torn: !are_atomic(&steps),
            steps,
            pending: record::pending(&lanes),
            names: record::names(&self.words(region::name::START, names * region::name::WORDS)?),
            ending,
            lane: Lane::of(current).unwrap_or(Lane::MAIN),
            value: head[output::VALUE] as i64,
            is_partial: head[output::PARTIAL] != 0,
            is_unclear: head[output::UNCLEAR] != 0,
            message,
            status,
        })
    }

    /// The first steps of the last run.
    fn steps(&mut self, count: usize) -> io::Result<Vec<Step>> {
        self.log.resize(count * region::ENTRY_WORDS * 8, 0);
        self.region.read_exact_at(&mut self.log, region::LOG as u64 * 8)?;
        Ok(record::steps(&self.log))
    }

    /// What the last run printed, if its plan has output.
    pub fn printed(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.output.seek(SeekFrom::Start(0))?;
        (&self.output).take(LONGEST_OUTPUT).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Where the files of the program are in its memory, as `/proc/PID/maps` has it.
    pub fn maps(&self) -> &str {
        &self.maps
    }

    /// What kind of program it is.
    pub fn nature(&self) -> Nature {
        self.nature
    }

    /// What is run.
    pub fn command(&self) -> &Command {
        &self.command
    }

    /// For each lane, the lane that created it and as which of its children.
    pub fn family(&self) -> io::Result<Vec<(Lane, u64)>> {
        let known = (self.words(input::KNOWN, 1)?[0] as usize).clamp(1, operations::MAX_LANES);
        let words = self.words(lane::START, known * lane::WORDS)?;
        let parent = |of: &[u64]| (Lane::of(of[lane::PARENT]).unwrap_or(Lane::MAIN), of[lane::CHILD]);
        Ok(words.chunks_exact(lane::WORDS).map(parent).collect())
    }

    fn words(&self, from: usize, count: usize) -> io::Result<Vec<u64>> {
        words_at(&self.region, from, count)
    }

    fn write(&self, from: usize, words: &[u64]) -> io::Result<()> {
        write_at(&self.region, from, words)
    }
}

fn words_at(file: &File, from: usize, count: usize) -> io::Result<Vec<u64>> {
    let mut bytes = vec![0; count * 8];
    file.read_exact_at(&mut bytes, from as u64 * 8)?;
    Ok(record::words(&bytes).collect())
}

pub(crate) fn write_at(file: &File, from: usize, words: &[u64]) -> io::Result<()> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.write_all_at(&bytes, from as u64 * 8)
}

impl Server {
    fn maps(&self) -> String {
        fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap_or_default()
    }

    /// Whether the program is at the same addresses each time it is started.
    fn has_fixed_addresses(&self) -> bool {
        const NOT_RANDOM: u32 = 0x0004_0000;
        let text = fs::read_to_string(format!("/proc/{}/personality", self.child.id())).unwrap_or_default();
        u32::from_str_radix(text.trim(), 16).is_ok_and(|personality| personality & NOT_RANDOM != 0)
    }

    fn start(command: &Command, folder: &mut Folder) -> Result<Server, Failure> {
        let listener = UnixListener::bind(folder.path.join("socket")).map_err(io("a socket"))?;
        listener.set_nonblocking(true).map_err(io("a socket"))?;
        let library = folder.path.join("library.so");
        fs::write(&library, runtime::LIBRARY).map_err(io(library.display()))?;
        let system = folder.path.join("system");
        fs::write(&system, command.members.written()).map_err(io(system.display()))?;
        let mut child = spawn(command, &folder.path, &library)?;
        let socket = match wait_for(&listener, &mut child) {
            Ok(socket) => socket,
            Err(failure) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failure);
            }
        };
        let mut server = Server { child, socket };
        let mut ready = server.is_ready_within(SOON)?;
        if ready.as_ref().is_err_and(|error| is_late(error.kind())) {
            folder.appoint_heir();
            ready = server.is_ready_within(STARTUP)?;
        }
        ready.map_err(|error| Failure::NoOperation(why_not_ready(error.kind(), &mut server.child)))?;
        server.socket.set_read_timeout(Some(POLL)).map_err(io("a socket"))?;
        Ok(server)
    }

    /// Waits until the program has come to its first visible operation.
    fn is_ready_within(&mut self, time: Duration) -> Result<io::Result<()>, Failure> {
        self.socket.set_read_timeout(Some(time)).map_err(io("a socket"))?;
        Ok(self.socket.read_exact(&mut [0]))
    }
}

/// Whether nothing has come in time.
fn is_late(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

fn why_not_ready(kind: ErrorKind, child: &mut Child) -> String {
    match ended_soon(child) {
        _ if is_late(kind) => format!("does not come within {} s", STARTUP.as_secs()),
        Some(status) => format!("ended ({status})"),
        None => "closed the connection to us".to_string(),
    }
}

fn ended_soon(child: &mut Child) -> Option<std::process::ExitStatus> {
    (0..20).find_map(|_| {
        sleep(Duration::from_millis(5));
        child.try_wait().ok().flatten()
    })
}

/// Whether a file runs with the rights of its owner or group: the system then loads no library of ours, or places the program anew
/// at each start.
fn has_rights_of_others(program: &Path) -> bool {
    const SETUID_OR_SETGID: u32 = 0o6000;
    fs::metadata(program).is_ok_and(|file| file.mode() & SETUID_OR_SETGID != 0)
}

fn spawn(command: &Command, folder: &Path, library: &Path) -> Result<Child, Failure> {
    let what = || command.program.display().to_string();
    let output = || OpenOptions::new().append(true).open(folder.join("output")).map(Stdio::from);
    let program = if command.program.components().count() == 1 {
        Path::new(".").join(&command.program)
    } else {
        command.program.clone()
    };
    if has_rights_of_others(&program) {
        return Err(Failure::NotAttached("its file is setuid or setgid".to_owned()));
    }
    let mut started = std::process::Command::new(program);
    if !command.members.is_empty() {
        started.env("UWBMC_SYSTEM", folder.join("system"));
    }
    started
        .args(&command.arguments)
        .env("LD_PRELOAD", library)
        .env("RUST_BACKTRACE", "0")
        .env("UWBMC_SESSION", folder)
        .stdin(Stdio::null())
        .stdout(output().map_err(io("the output"))?)
        .stderr(output().map_err(io("the output"))?)
        .process_group(0)
        .spawn()
        .map_err(io(what()))
}

/// Waits until the library in the program connects.
fn wait_for(listener: &UnixListener, child: &mut Child) -> Result<UnixStream, Failure> {
    let start = Instant::now();
    loop {
        match listener.accept() {
            Ok((socket, _)) => {
                socket.set_nonblocking(false).map_err(io("a socket"))?;
                return Ok(socket);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(io("a socket")(error)),
        }
        if let Ok(Some(status)) = child.try_wait() {
            if status.code() == Some(NO_WALL) {
                return Err(Failure::NoWall);
            }
            return Err(Failure::NotAttached(format!("it ended by itself ({status})")));
        }
        if start.elapsed() > STARTUP {
            return Err(Failure::NotAttached(format!("it has not come to main in {} s", STARTUP.as_secs())));
        }
        sleep(Duration::from_millis(1));
    }
}
