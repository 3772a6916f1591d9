//! The HTML report in a real browser, where Chromium is installed: found in the environment variable `CHROMIUM` or in
//! the path. `UPDATE=1 cargo test --test documents html::` also writes the picture in docs/.

use indexmap::IndexMap;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use testkit::browser::{Browser, start};
use testkit::hostile;
use testkit::traces;
use testkit::walks;
use uwbmc::engine::{Cause, Verdict};
use uwbmc::report::{Format, PropertyReport, RoundReport, RunReport, Written, html};
use uwbmc::trace::{Document, FORMAT, Process, Scalar, Step, VERSION, Variable};

fn page(name: &str, contents: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}.html", std::process::id()));
    std::fs::write(&path, contents).expect("writable");
    path
}

/// The page of a report.
fn written(report: &RunReport) -> String {
    let mut out = Vec::new();
    html::report(report, &mut out).expect("memory takes everything");
    String::from_utf8(out).expect("text")
}

/// The report of a counterexample of more than 40 steps to mutual exclusion.
fn long_report() -> (RunReport, Document) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/mutex/peterson-5-broken-skip.smv");
    let run = traces::counterexamples(&path).remove(0);
    let document = run.document();
    assert!(document.steps.len() >= 40);
    let properties = vec![PropertyReport::new(
        "safe",
        Written::default(),
        &Verdict::Violated(Arc::new(run.trace)),
        Some(document.clone().into()),
    )];
    let model = document.model.clone();
    let report = RunReport { model, engine: Some("explicit"), properties, ..RunReport::default() };
    (report, document)
}

/// The same with verdicts of every other kind.
fn report_of_every_kind() -> (RunReport, Document) {
    let (mut report, document) = long_report();
    report.properties.extend([
        PropertyReport::new("bounded", Written::default(), &Verdict::HoldsUpTo(44), None),
        PropertyReport::new(
            "live",
            Written::default(),
            &Verdict::unknown(Cause::Refused, "LTL is not checked yet"),
            None,
        ),
    ]);
    (report, document)
}

/// What the page shows of a state: its number, the texts of the table, what is marked as changed.
fn shown(browser: &mut Browser) -> (Value, IndexMap<String, String>, Vec<String>) {
    let number = browser.evaluate("page.view.state");
    let rows = browser.evaluate(
        "[...document.querySelectorAll('tbody tr')].map(r => [r.cells[0].textContent, r.cells[1].textContent,
            r.classList.contains('changed'), r.hidden])",
    );
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let visible = rows.as_array().expect("rows").iter().filter(|row| row[3] == false);
    let values = visible.clone().map(|row| (text(&row[0]), text(&row[1]))).collect();
    let changed = visible.filter(|row| row[2] == true).map(|row| text(&row[0])).collect();
    (number, values, changed)
}

fn assert_shows(browser: &mut Browser, document: &Document, state: usize) {
    let (number, values, changed) = shown(browser);
    assert_eq!(number, state);
    let expected: IndexMap<String, String> =
        document.states[state].iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    assert_eq!(values, expected);
    let expected: Vec<String> = match state {
        0 => Vec::new(),
        _ => traces::changes(document, state).into_iter().map(|(variable, ..)| variable.name.clone()).collect(),
    };
    assert_eq!(changed, expected, "changes of state {state}");
}

#[test]
fn a_report_is_walked_through_with_slider_keys_clicks_and_filters() {
    let Some(mut browser) = start() else { return };
    let (report, document) = report_of_every_kind();
    browser.open(&page("report", &written(&report)));
    let last = document.steps.len();
    assert_eq!(
        browser.evaluate("[...document.querySelectorAll('.verdict')].map(v => v.textContent)"),
        json!([format!("violated in {last} steps"), "holds up to bound 44", "unknown (LTL is not checked yet)"])
    );
    assert_shows(&mut browser, &document, 0);
    // Keys, with the focus on nothing in particular.
    for (key, state) in [
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("ArrowLeft", 1),
        ("PageDown", 11),
        ("End", last),
        ("ArrowRight", last),
        ("PageUp", last - 10),
        ("Home", 0),
        ("ArrowUp", 0),
    ] {
        browser.press(key);
        assert_shows(&mut browser, &document, state);
    }
    // The slider, as a mouse would move it.
    browser.evaluate("slider.value = 17; slider.dispatchEvent(new Event('input', {bubbles: true}))");
    assert_shows(&mut browser, &document, 17);
    let step = &document.steps[16];
    let text = browser.evaluate("document.getElementById('step').textContent");
    let expected = format!(
        "{} moves at {}line {}: {}",
        step.process,
        step.at.as_deref().unwrap_or_default(),
        step.line.unwrap_or_default(),
        step.text.as_deref().unwrap_or_default()
    );
    assert_eq!(text, expected);
    // A click on a row of the chart.
    browser.click(".row[data-state='20'] .number");
    assert_shows(&mut browser, &document, 20);
    // The current control points are those of the state, and the row in the chart is the current one.
    assert_eq!(browser.evaluate("document.querySelector('.row.current').dataset.state"), "20");
    let here = browser.evaluate("[...document.querySelectorAll('.graph')].map(g => [g.querySelector('b').textContent, g.querySelector('.point.current title').textContent])");
    for pair in here.as_array().expect("graphs") {
        let pc = format!("{}.pc", pair[0].as_str().expect("a name"));
        assert_eq!(pair[1].as_str().expect("a point"), document.states[20].get(&pc).expect("a value").to_string());
    }
    assert_eq!(here.as_array().map(Vec::len), Some(5), "one graph per process that moves");
    filters_work(&mut browser, &document);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn filters_work(browser: &mut Browser, document: &Document) {
    // By name, typed; arrows in the field do not move through the run.
    browser.evaluate("search.focus()");
    browser.type_text("LEVEL");
    browser.press("ArrowLeft");
    let (state, values, _) = shown(browser);
    assert_eq!((state, values.len()), (json!(20), 5));
    assert!(values.keys().all(|name| name.starts_with("level[")));
    assert_eq!(
        browser.evaluate("document.querySelector('.count').textContent"),
        format!("5 of {} variables", document.states[0].len())
    );
    browser.evaluate("search.value = ''; search.dispatchEvent(new Event('input'))");
    // By process: its lane, its graph and its variables go.
    let lanes = browser.evaluate("document.querySelectorAll('.lanes text').length");
    browser.evaluate("document.querySelector('input[data-process=\"1\"]').click()");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('.lanes text').length").as_i64(),
        lanes.as_i64().map(|n| n - 1)
    );
    assert!(!shown(browser).1.keys().any(|name| name.starts_with("p1.")));
    assert_eq!(browser.evaluate("[...document.querySelectorAll('.graph')].filter(g => !g.hidden).length"), 4);
    browser.evaluate("document.querySelector('input[data-process=\"1\"]').click()");
    // Only what changed; that follows the slider.
    browser.evaluate("document.getElementById('only-changed').click()");
    for key in ["ArrowRight", "ArrowLeft"] {
        browser.press(key);
        let (state, values, changed) = shown(browser);
        let names: Vec<String> = values.keys().cloned().collect();
        assert_eq!(names, changed, "state {state}");
    }
    browser.evaluate("document.getElementById('only-changed').click()");
    let core = document.core.as_ref().expect("a violation has a core");
    browser.evaluate("document.getElementById('only-core').click()");
    assert_eq!(shown(browser).1.len(), core.variables.len());
    browser.evaluate("document.getElementById('only-core').click()");
}

#[test]
fn everything_can_be_reached_by_keyboard_and_read_in_the_dark() {
    let Some(mut browser) = start() else { return };
    let (report, _) = report_of_every_kind();
    let path = page("dark", &written(&report));
    browser.open(&path);
    // Tab from the start to the button that goes to the next state, and press it.
    let mut names = Vec::new();
    for _ in 0..25 {
        browser.press("Tab");
        let name = browser.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.id || document.activeElement.tagName");
        names.push(name.as_str().unwrap_or_default().to_owned());
        if name == "next state" && names.len() < 12 {
            browser.press("Enter");
        }
    }
    for wanted in ["first state", "state before", "state", "next state", "last state", "steps by process", "variables"]
    {
        assert!(names.iter().any(|name| name == wanted), "{wanted} is not among {names:?}");
    }
    assert_eq!(browser.evaluate("page.view.state"), 1);
    browser.assert_readable(&[
        "h1",
        ".about",
        ".violated",
        ".holds",
        ".unknown",
        "tr.changed td",
        "tbody th",
        ".count",
        ".step-text code",
        "button",
    ]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A run of 1,000 steps and 500 variables of 8 processes.
fn large() -> Document {
    let name = |index: usize| format!("p{}.v{index}", index % 8);
    let variable = |index: usize| Variable {
        name: name(index),
        input: false,
        process: Some(format!("p{}", index % 8)),
        ..Variable::default()
    };
    let processes: Vec<Process> =
        (0..8).map(|index| Process { name: format!("p{index}"), ..Process::default() }).collect();
    let mut state: IndexMap<String, Scalar> = (0..500).map(|index| (name(index), Scalar::Integer(0))).collect();
    let mut states = vec![state.clone().into()];
    let mut steps = Vec::new();
    for step in 1..=1000usize {
        for index in 0..5 {
            state.insert(name(step * 7 % 495 + index), Scalar::Integer(step as i64));
        }
        states.push(state.clone().into());
        steps.push(Step { process: format!("p{}", step % 8), ..Step::default() });
    }
    Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        model: "large".to_owned(),
        variables: (0..500).map(variable).collect(),
        processes,
        states,
        steps,
        ..Document::default()
    }
}

#[test]
fn a_thousand_steps_of_five_hundred_variables_do_not_freeze_the_page() {
    let Some(mut browser) = start() else { return };
    let document = large();
    let document = Document::from_json(&document.to_json()).expect("it hangs together");
    let path = page("large", &Format::Html.render(&document));
    browser.open(&path);
    let times = browser.evaluate(
        "(async () => { const times = [];
        for (let i = 0; i < 60; i += 1) { const t = performance.now(); page.view.select(i * 16 + 1);
          document.body.offsetHeight; times.push(performance.now() - t); await new Promise(requestAnimationFrame); }
        times.sort((a, b) => a - b); return [times[30], times[59]]; })()",
    );
    println!("a step takes {} ms, at most {} ms", times[0], times[1]);
    // What a step costs does not grow with the run: only rows in sight are drawn, only what changed is written.
    let rows = browser.evaluate("document.querySelectorAll('.row').length").as_i64().expect("a number");
    assert!((10..100).contains(&rows), "{rows} rows are drawn");
    let writes = browser.evaluate(
        "(async () => { let writes = 0; const watch = new MutationObserver(records => { writes += records.length; });
        watch.observe(document.querySelector('tbody'), { subtree: true, childList: true, attributes: true });
        page.view.select(page.view.state + 1); await new Promise(requestAnimationFrame); return writes; })()",
    );
    let writes = writes.as_i64().expect("a number");
    assert!((5..80).contains(&writes), "{writes} changes to the table in a step that changes 5 variables");
    browser.press("End");
    assert_shows(&mut browser, &document, 1000);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_graphs_tell_when_points_were_widened() {
    let Some(mut browser) = start() else { return };
    let (mut report, _) = long_report();
    let round = |bound: usize, widened: &[&str]| {
        let widened: Vec<String> = widened.iter().map(|point| (*point).to_owned()).collect();
        RoundReport { bound, restricted: 9, blamed: widened.clone(), widened }
    };
    report.rounds = vec![round(3, &["p1@await"]), round(5, &["p2@idle", "p1@await"])];
    report.points = 9;
    browser.open(&page("widened", &written(&report)));
    let marks = browser.evaluate(
        "[...document.querySelectorAll('.point.widened')].map(p => [p.closest('.graph').querySelector('b').textContent,
            p.querySelector('title').textContent, p.querySelector('.round').textContent])",
    );
    let expected = json!([["p1", "await, widened in round 1", "1"], ["p2", "idle, widened in round 2", "2"]]);
    assert_eq!(marks, expected);
    assert_eq!(browser.evaluate("document.querySelectorAll('#rounds tbody tr').length"), 2);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_lasso_is_marked_in_the_chart() {
    let Some(mut browser) = start() else { return };
    browser.open(&page("lasso", &Format::Html.render(&walks::lasso().document())));
    assert_eq!(browser.evaluate("document.querySelector('.row[data-state=\"1\"] .loop').firstChild.textContent"), "↻");
    assert_eq!(browser.evaluate("document.querySelector('.row[data-state=\"3\"] .loop').firstChild.textContent"), "↑1");
    assert_eq!(browser.evaluate("document.querySelector('.way-back').getAttribute('d')"), "M64 91H56V39H64");
    browser.open(&page("no-lasso", &written(&long_report().0)));
    assert_eq!(browser.evaluate("document.querySelector('.way-back')"), Value::Null);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn nothing_of_the_model_runs_in_the_page() {
    let Some(mut browser) = start() else { return };
    let run = hostile::run();
    let document = run.document();
    let name = hostile::names().join(" ");
    let verdict = Verdict::Violated(Arc::new(run.trace));
    let properties = vec![PropertyReport::new(&name, Written::default(), &verdict, Some(document.clone().into()))];
    let report = RunReport { model: name.clone(), engine: Some("explicit"), properties, ..RunReport::default() };
    browser.open(&page("hostile", &written(&report)));
    browser.press("End");
    assert_eq!(browser.evaluate("page.view.state"), document.steps.len());
    assert_eq!(
        browser.evaluate("document.querySelectorAll('img, iframe, a, script:not([type])').length"),
        1,
        "our program only"
    );
    assert_eq!(browser.evaluate("document.querySelectorAll('tbody tr').length"), document.states[0].len());
    assert_eq!(browser.evaluate("document.querySelector('tbody th').textContent.includes('<script>')"), true);
    assert_eq!(
        browser.evaluate("document.documentElement.scrollWidth <= 1400"),
        true,
        "long names do not widen the page"
    );
    browser.evaluate("search.focus()");
    browser.type_text("<script>");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_picture_in_the_docs_is_of_this_report() {
    let Some(mut browser) = start() else { return };
    let (report, document) = long_report();
    browser.open(&page("picture", &written(&report)));
    browser.evaluate("page.view.select(38)");
    assert_shows(&mut browser, &document, 38);
    browser.keep_picture("report.png");
}
