//! The ids of what a model consists of.

index_vec::define_index_type! {
    /// A proctype, or init.
    pub struct ProctypeId = u32;
}

index_vec::define_index_type! {
    /// A proctype at a pid.
    pub struct InstanceId = u32;
}

index_vec::define_index_type! {
    /// A channel that the model creates.
    pub struct ChannelId = u32;
}

impl InstanceId {
    /// The process of the system that it is: instances become processes in the same order.
    pub fn process(self) -> system::ProcessId {
        self.index().into()
    }

    /// The instance that a process of the system is.
    pub fn of(process: system::ProcessId) -> InstanceId {
        process.index().into()
    }
}

impl ChannelId {
    /// The value of a variable that holds the channel: 0 is no channel.
    pub fn value(self) -> i64 {
        self.index() as i64 + 1
    }
}
