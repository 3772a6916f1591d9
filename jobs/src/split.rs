//! Writing the folder of a split.

use super::cubes::cubes;
use super::folder::{self, FORMULA, JOBS, JobFile, MANIFEST, Manifest, RESULTS, Subject, Work};
use super::hunt::methods;
use super::icnf::Icnf;
use super::included::Included;
use bounded::{Within, can_be_asked};
use check::{Error, Stamp, is_invariant};
use std::path::Path;
use system::{Machine, System};

/// How long a hunting job looks for a violation: half a minute or so.
const HUNTING: u64 = 4_000_000_000;

/// What to split, and into what.
pub struct Plan {
    /// What is asked.
    pub subject: Subject,
    /// The text of the model.
    pub text: String,
    /// The files that it includes.
    pub included: Vec<Included>,
    /// The most cubes.
    pub cubes: usize,
    /// How many hunting jobs.
    pub hunts: usize,
    /// The first seed of walks.
    pub seed: u64,
}

/// Writes jobs to a folder that is new or empty. Says how many cubes there are.
pub fn split(plan: Plan, folder: &Path) -> Result<usize, Error> {
    for folder in [folder, &folder.join(JOBS), &folder.join(RESULTS)] {
        std::fs::create_dir_all(folder).map_err(|error| Error::in_file(folder, &error))?;
    }
    if folder.join(MANIFEST).exists() {
        return Err(folder::foreign(folder, "there is a split in it already; name a new folder"));
    }
    let Plan { mut subject, text, included, cubes: wanted, hunts, seed } = plan;
    let model_file = folder.join(&subject.model.file);
    std::fs::write(&model_file, text).map_err(|error| Error::in_file(&model_file, &error))?;
    for file in &included {
        file.write(folder, &subject.model.file)?;
        subject.included.push(Stamp::of(folder, &file.file)?);
    }
    subject.model = Stamp::of(folder, &subject.model.file)?;
    // From the folder, as others will read it.
    let (model, _) = subject.load(folder)?;
    let Some(within) = formula(&model.machine, &subject)? else {
        return Err(Error::Usage(format!("{}: only invariants and deadlock freedom can be split", subject.property)));
    };
    let cubes = cubes(&within.formula, &within.choices, wanted.max(1));
    let icnf = Icnf { formula: within.formula, cubes };
    let formula_file = folder.join(FORMULA);
    std::fs::write(&formula_file, icnf.render(&comments(&subject)))
        .map_err(|error| Error::in_file(&formula_file, &error))?;
    let formula = Stamp::of(folder, FORMULA)?;
    let work = icnf.cubes.iter().map(|cube| Work::of_cube(cube));
    let work = work.chain(methods(hunts, seed).into_iter().map(|method| Work::Hunt { method, ticks: HUNTING }));
    let jobs = numbered(work.collect()).into_iter().map(|(name, work)| {
        let file = format!("{JOBS}/{name}.json");
        folder::write(&folder.join(&file), &JobFile::new(name, &formula.hash, work))?;
        Stamp::of(folder, &file)
    });
    let jobs = jobs.collect::<Result<Vec<Stamp>, Error>>()?;
    folder::write(&folder.join(MANIFEST), &Manifest::new(subject, formula, jobs))?;
    Ok(icnf.cubes.len())
}

/// The formula of what is asked; none for what cannot be split.
pub fn formula<'a>(machine: &'a Machine, subject: &Subject) -> Result<Option<Within<'a>>, Error> {
    let property = languages::suggest::named(machine.system(), &subject.property).map_err(Error::Usage)?;
    if !is_invariant(machine, property) || !can_be_asked(machine, property) {
        return Ok(None);
    }
    Within::new(machine.of(property), property, subject.bound)
        .map_err(|unsupported| Error::Usage(format!("jobs do not support {}", unsupported.0)))
}

/// The first lines of the formula, by which it differs from those of other models, properties and bounds.
pub fn comments(subject: &Subject) -> Vec<String> {
    let Subject { model, property, bound, .. } = subject;
    let property: String = property.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let included = subject.included.iter().map(|file| format!("which includes {}", file.hash));
    let about = [format!("violation of {property} within {bound} steps"), format!("model {}", model.hash)];
    about.into_iter().chain(included).collect()
}

/// The name of the only property that can be split.
pub fn only_property(machine: &Machine) -> Result<String, Error> {
    let system: &System = machine.system();
    let invariants = system.properties.indices().filter(|id| is_invariant(machine, *id) && can_be_asked(machine, *id));
    let names: Vec<&str> = invariants.map(|id| system.properties[id].name.as_str()).collect();
    match names.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => Err(Error::Usage("the model has no invariant that could be split".to_owned())),
        several => Err(Error::Usage(format!("name one property by --property: {}", several.join(", ")))),
    }
}

/// Jobs with names that sort as their numbers do.
fn numbered(work: Vec<Work>) -> Vec<(String, Work)> {
    let digits = work.len().to_string().len();
    let (mut cubes, mut hunts) = (0, 0);
    let mut named = Vec::with_capacity(work.len());
    for work in work {
        let (kind, number) = match work {
            Work::Cube(_) => ("cube", &mut cubes),
            Work::Hunt { .. } => ("hunt", &mut hunts),
        };
        *number += 1;
        named.push((format!("{kind}-{number:0digits$}"), work));
    }
    named
}
