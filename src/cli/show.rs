//! `uwbmc show`

use super::{Outcome, ShowArgs, UsageError, model, terminal};
use crate::report::{dot, show::Overview};
use system::render_system;

pub fn run(args: &ShowArgs) -> Result<Outcome, UsageError> {
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let system = model.machine.system();
    let text = if args.system {
        render_system(system)
    } else if args.dot {
        dot::render(system)
    } else {
        let overview = Overview::of(system, model.source.name());
        if args.json { serde_json::to_string_pretty(&overview).unwrap_or_default() + "\n" } else { overview.render() }
    };
    terminal::print(&text);
    Ok(Outcome::Fine)
}
