//! The pages of `compare` and `bench` in a real browser, where Chromium is installed.

use serde_json::json;
use testkit::browser::{Browser, start};
use testkit::command::{BROKEN, stderr, temporary, text, uwbmc};

/// The texts of a column of the first table.
fn column(browser: &mut Browser, number: usize) -> Vec<String> {
    let cells = format!("[...document.querySelector('table').tBodies[0].rows].map(r => r.cells[{number}].textContent)");
    serde_json::from_value(browser.evaluate(&cells)).expect("texts")
}

/// Goes on with the Tab key until the focus is on a button with this text.
fn tab_to(browser: &mut Browser, wanted: &str) {
    for _ in 0..40 {
        browser.press("Tab");
        if browser.evaluate("document.activeElement.textContent") == wanted {
            return;
        }
    }
    panic!("the keyboard does not reach {wanted}");
}

fn assert_sorted(cells: &[String]) {
    let numbers: Vec<f64> = cells.iter().map(|cell| cell.parse().expect("a number")).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
}

#[test]
fn a_comparison_is_a_page_with_a_table_and_a_plot() {
    let path = temporary("compare.html");
    let output = uwbmc(&["compare", BROKEN, "--k", "9", "--exact", "--html", text(&path)]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let Some(mut browser) = start() else { return };
    browser.open(&path);
    assert_eq!(browser.evaluate("document.querySelector('h1').textContent"), format!("compare {BROKEN}"));
    assert_eq!(column(&mut browser, 0), (0..10).map(|k| k.to_string()).collect::<Vec<String>>());
    assert_eq!(column(&mut browser, 1)[7..10], ["valid", "violated (8 steps)", "violated (9 steps)"]);
    // Sorted by a column, with the keyboard; the total stays at the bottom.
    tab_to(&mut browser, "seconds");
    browser.press("Enter");
    assert_sorted(&column(&mut browser, 2));
    browser.press("Enter");
    let mut descending = column(&mut browser, 2);
    descending.reverse();
    assert_sorted(&descending);
    assert_eq!(browser.evaluate("document.querySelector('th[aria-sort]').getAttribute('aria-sort')"), "descending");
    assert_eq!(browser.evaluate("document.querySelector('tfoot th').textContent"), "total");
    // The plot has a point for each cell, and says which.
    assert_eq!(browser.evaluate("document.querySelectorAll('figure svg polyline').length"), 4);
    assert_eq!(browser.evaluate("document.querySelectorAll('figure svg circle title').length"), 40);
    browser.assert_readable(&["h1", ".sheet p", "li", "thead button", "tbody th", "tbody td", "figcaption"]);
    let ink = browser.evaluate("getComputedStyle(document.querySelector('figure svg text')).fill");
    assert_eq!(ink, browser.evaluate("getComputedStyle(document.body).color"), "labels follow the page into the dark");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Whether everything inside an element is as wide as there is room for.
fn assert_nothing_is_cut_off(browser: &mut Browser, width: u32) {
    let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", metrics);
    let cut = "[...document.querySelectorAll('html, main, .wide, .wide td, .wide th')]\
               .filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(e => e.outerHTML.slice(0, 80))";
    assert_eq!(browser.evaluate(cut), json!([]), "at a width of {width}");
}

#[test]
fn the_columns_of_a_comparison_are_groups_of_headings() {
    let path = temporary("compare-groups.html");
    uwbmc(&["compare", BROKEN, "--k", "9", "--html", text(&path)]);
    let Some(mut browser) = start() else { return };
    browser.open(&path);
    let groups =
        "[...document.querySelectorAll('thead tr:first-child th')].map(h => [h.scope, h.textContent, h.colSpan])";
    let group = |name: &str, span: usize| json!(["colgroup", name, span]);
    let expected = [
        group("BMC", 3),
        group("BMC, scheduling", 3),
        group("paper's UW", 5),
        group("UW alone", 5),
        group("default", 3),
    ];
    assert_eq!(browser.evaluate(groups), json!(expected));
    let headings = "[...document.querySelectorAll('thead tr:last-child th')].map(h => h.textContent).slice(0, 12)";
    let expected = [
        "k",
        "answer",
        "seconds",
        "conflicts",
        "answer",
        "seconds",
        "conflicts",
        "answer",
        "seconds",
        "conflicts",
        "rounds",
        "widened",
    ];
    assert_eq!(browser.evaluate(headings), json!(expected));
    let alignments =
        "[...document.querySelectorAll('td.number')].every(c => getComputedStyle(c).textAlign === 'right')";
    assert_eq!(browser.evaluate(alignments), true);
    let numbers = "[...document.querySelectorAll('tbody td')].every(c => /^[0-9]/.test(c.textContent) === \
                   c.classList.contains('number') || c.textContent === '')";
    assert_eq!(browser.evaluate(numbers), true);
    assert_nothing_is_cut_off(&mut browser, 1400);
    assert_nothing_is_cut_off(&mut browser, 600);
    browser.assert_readable(&["tbody th", "tbody td", "tfoot td"]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn measurements_are_a_page_with_the_summary_and_every_plot() {
    let (suite, results, path) = (temporary("sheet.toml"), temporary("sheet-results"), temporary("bench.html"));
    let contents = format!(
        "about = \"Some <b>words</b>\"\ntimeout = 20\nmemory = 4000\nseeds = [0]\nbaseline = \"BMC\"\nhero = \"UW\"\n\
         beside = \"\"\"## Beside\n\n| a | b |\n| --- | --- |\n| 1 | `2` |\n\"\"\"\n\
         [[contestants]]\nname = \"BMC\"\narguments = [\"--engine\", \"bmc\"]\n[[contestants]]\nname = \"UW\"\n\
         [[instances]]\nmodel = {BROKEN:?}\nk = 9\ngroup = \"</script><script>alert(1)</script>\"\n\
         [[tables]]\nmodel = {BROKEN:?}\nk = 3\nproperty = \"safe\"\nexact = true\n"
    );
    std::fs::write(&suite, contents).expect("writable");
    let output = uwbmc(&["bench", text(&suite), "--results", text(&results), "--html", text(&path), "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(2), "{report}");
    assert_eq!((&report["runs"][0]["outcome"], &report["runs"][0]["depth"]), (&json!("violated"), &json!(8)));
    let Some(mut browser) = start() else { return };
    browser.open(&path);
    let headings = browser.evaluate("[...document.querySelectorAll('h2')].map(h => h.textContent)");
    let headings: Vec<String> = serde_json::from_value(headings).expect("texts");
    for wanted in ["How many times as fast as BMC", "Where UW loses", "Beside"] {
        assert!(headings.iter().any(|heading| heading == wanted), "{wanted} is not among {headings:?}");
    }
    assert_eq!(browser.evaluate("document.querySelector('.sheet p').textContent"), "Some <b>words</b>");
    assert_eq!(browser.evaluate("document.querySelectorAll('figure svg').length"), 3, "cactus, scatter, comparison");
    assert_eq!(browser.evaluate("document.querySelectorAll('.sheet script, .sheet b, .sheet img').length"), 0);
    browser.assert_readable(&["h1", "h2", ".sheet p", "thead button", "tbody td", "figcaption"]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
