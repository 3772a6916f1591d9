//! Messages and printed texts of Promela models, in the trace document and in the browser.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::browser;
use testkit::command::{json, stdout, temporary, text, uwbmc};
use testkit::xml;

/// Two buffered channels, one of them sorted and read at random, a rendezvous, and everything that printf can do.
const MODEL: &str = r#"mtype = { ack, nak };
chan data = [3] of { byte, byte };
chan pool = [3] of { byte };
chan meet = [0] of { mtype, byte };
byte got;

active proctype sender() {
  byte n = 1;
  do
  :: n < 5 -> data!n,7; printf("sent %d of <b>%d</b>\n", n, 4); n++
  :: n >= 5 -> break
  od;
  pool!!3; pool!!1; pool!!2;
  meet!ack,got
}

active proctype receiver() {
  byte m, x;
  mtype answer;
  do
  :: data?m,_ -> got = got + m; printf("got\t%d %x %o %c %% %e", m, 10 + m, 8, 65, m)
  :: got == 10 -> pool??2; break
  od;
  meet?answer,x;
  printm(answer);
  printf("%e\n", answer)
}
"#;

fn model(name: &str) -> PathBuf {
    let path = temporary(&format!("{name}.pml"));
    std::fs::write(&path, MODEL).expect("writable");
    path
}

/// A random walk to the end of both processes.
fn walk(seed: usize, path: &Path) -> Value {
    json(&["simulate", text(path), "--steps", "200", "--seed", &seed.to_string(), "--json"])
}

fn messages(document: &Value) -> Vec<(usize, &Value)> {
    let steps = document["steps"].as_array().expect("steps").iter().enumerate();
    steps
        .flat_map(|(index, step)| step["messages"].as_array().into_iter().flatten().map(move |one| (index + 1, one)))
        .collect()
}

#[test]
fn what_is_received_was_sent_before() {
    let path = model("messages");
    for seed in 0..30 {
        let document = walk(seed, &path);
        let all = messages(&document);
        let (sent, received): (Vec<_>, Vec<_>) = all.iter().partition(|(_, one)| one["direction"] == "send");
        assert_eq!(sent.len(), 4 + 3, "four numbers and the pool");
        assert_eq!(received.len(), 4 + 1, "four numbers and the 2");
        for (step, message) in received {
            let by = message["sent"].as_u64().expect("a step") as usize;
            assert!(by < step);
            let source = sent.iter().find(|(step, one)| *step == by && one["channel"] == message["channel"]);
            assert_eq!(source.expect("it was sent").1["values"], message["values"]);
        }
        // Nothing is received twice, and the numbers come in order.
        let order = |direction: &str| -> Vec<&Value> {
            let on_data = all.iter().filter(|(_, one)| one["channel"] == "data" && one["direction"] == direction);
            on_data.map(|(_, one)| &one["values"][0]).collect()
        };
        assert_eq!(order("send"), [1, 2, 3, 4]);
        assert_eq!(order("receive"), [1, 2, 3, 4]);
    }
}

fn prints(document: &Value) -> Vec<&str> {
    document["steps"].as_array().expect("steps").iter().filter_map(|step| step["prints"].as_str()).collect()
}

#[test]
fn what_is_printed_is_told() {
    let path = model("prints");
    let document = walk(1, &path);
    let all = prints(&document);
    assert_eq!(all.iter().filter(|text| text.starts_with("sent ")).count(), 4);
    assert!(all.contains(&"sent 2 of <b>4</b>"), "{all:?}");
    assert!(all.contains(&"got\t2 c 10 A % ack"), "mtypes count from the last one: {all:?}");
    assert_eq!(all[all.len() - 2..], ["ack", "ack"]);
    let shown = stdout(&uwbmc(&["simulate", text(&path), "--steps", "200", "--seed", "1"]));
    assert!(shown.contains("prints \"sent 2 of <b>4</b>\"") && shown.contains("prints \"got\\u{9}2 c 10 A % ack\""));
}

#[test]
fn mtypes_are_shown_and_read_by_name() {
    let (path, trace) = (model("mtypes"), temporary("mtypes.json"));
    uwbmc(&["simulate", text(&path), "--steps", "200", "--seed", "4", "--trace", text(&trace)]);
    let document: Value = serde_json::from_slice(&std::fs::read(&trace).expect("written")).expect("JSON");
    let states = document["states"].as_array().expect("states");
    let values: Vec<&Value> = states.iter().map(|state| &state["receiver_1.answer"]).collect();
    assert!(values.contains(&&Value::from("ack")) && values[0] == 0, "{values:?}");
    assert!(stdout(&uwbmc(&["replay", text(&path), text(&trace)])).starts_with("accepted"));
    let forged = std::fs::read_to_string(&trace).expect("written").replace("\"ack\"", "\"nak\"");
    std::fs::write(&trace, forged).expect("writable");
    assert!(stdout(&uwbmc(&["replay", text(&path), text(&trace)])).starts_with("rejected"));
    // Each of several mtypes has names of its own for the same numbers.
    let several = MODEL
        .replace("mtype = { ack, nak };", "mtype = { ack, nak } mtype:fruit = { plum, apple } mtype:fruit f = plum;");
    std::fs::write(&path, several).expect("writable");
    let shown = stdout(&uwbmc(&["simulate", text(&path), "--steps", "200", "--seed", "4"]));
    assert!(shown.contains("receiver_1.answer = ack") && shown.contains("f = plum"), "{shown}");
}

/// SPIN prints the same along the same run.
#[test]
fn spin_prints_the_same() {
    let folder = temporary("spin-prints");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("model.pml");
    std::fs::write(&path, MODEL.replace("printm(answer);", "printm(answer); assert(false);")).expect("writable");
    let (trail, trace) = (folder.join("model.pml.trail"), folder.join("trace.json"));
    let check = |file: &Path| uwbmc(&[text(&path), "--property", "assert_25", "--trace", text(file)]);
    assert_eq!(check(&trail).status.code(), Some(1));
    check(&trace);
    let document: Value = serde_json::from_slice(&std::fs::read(trace).expect("written")).expect("JSON");
    let ours: String = prints(&document).join(" ");
    let Ok(spin) = Command::new("spin").args(["-T", "-t", "model.pml"]).current_dir(&folder).output() else {
        println!("skipped: spin is not installed");
        return;
    };
    // It may warn that the model is as young as the trail.
    let theirs: Vec<String> =
        stdout(&spin).lines().filter(|line| !line.starts_with("spin: warning")).map(str::to_owned).collect();
    let theirs = theirs.join("\n");
    let (theirs, _) = theirs.split_once("spin:").expect("the end of the trail");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>().join("");
    assert_eq!(words(theirs), words(&ours));
}

#[test]
fn messages_are_arrows_and_what_is_printed_is_shown_in_the_browser() {
    let (path, page) = (model("arrows"), temporary("arrows.html"));
    let document = walk(2, &path);
    uwbmc(&["simulate", text(&path), "--steps", "200", "--seed", "2", "--trace", text(&page)]);
    let Some(mut browser) = browser::start() else { return };
    browser.open(&page);
    assert_eq!(browser.evaluate("document.querySelectorAll('.lanes text').length"), 2, "a lane per process");
    let received: Vec<(usize, &Value)> =
        messages(&document).into_iter().filter(|(_, one)| one["direction"] == "receive").collect();
    for (step, message) in received {
        browser.evaluate(&format!("page.view.select({step})"));
        let arrow = browser.evaluate(
            "(a => [a.getAttribute('y1'), a.getAttribute('y2'), a.textContent])(document.querySelector('.arrow.message.current'))",
        );
        let row = |step: u64| format!("{}", step * 26 + 13);
        assert_eq!(arrow[0], row(message["sent"].as_u64().expect("a step")), "from the row of the send");
        assert_eq!(arrow[1], row(step as u64), "to the row of the receive");
        let name = message["channel"].as_str().expect("a name");
        assert!(arrow[2].as_str().is_some_and(|label| label.starts_with(&format!("{name}?"))), "{arrow}");
        let said = browser.evaluate("document.querySelector('#step code.message').textContent");
        assert_eq!(said, arrow[2]);
    }
    browser.evaluate("document.querySelector('.scroller').scrollTop = 1e6");
    let partner = browser.evaluate("document.querySelector('.arrow.partner').textContent");
    assert_eq!(partner, "meet!ack,got / meet?answer,x");
    let steps = document["steps"].as_array().expect("steps");
    let printing = steps.iter().position(|step| step["prints"] == "sent 2 of <b>4</b>").expect("it is printed") + 1;
    browser.evaluate(&format!("page.view.select({printing})"));
    assert_eq!(browser.evaluate("document.querySelector('#step samp').textContent"), "sent 2 of <b>4</b>");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn every_format_takes_a_run_of_a_program() {
    let (path, trace) = (model("formats"), temporary("formats.json"));
    uwbmc(&["simulate", text(&path), "--steps", "200", "--seed", "3", "--trace", text(&trace)]);
    let document: Value = serde_json::from_slice(&std::fs::read(&trace).expect("written")).expect("JSON");
    let states = document["states"].as_array().expect("states").len();
    let variables = document["variables"].as_array().expect("variables").len();
    let convert = |format: &str| stdout(&uwbmc(&["trace", "convert", text(&trace), "--format", format]));
    let replayed = stdout(&uwbmc(&["replay", text(&path), text(&trace)]));
    assert!(replayed.starts_with(&format!("accepted: {} steps", states - 1)), "{replayed}");
    assert_eq!(convert("text").matches("\nstate ").count() + 1, states);
    assert_eq!(convert("csv").matches("\r\n").count(), states + 1);
    let markdown = convert("markdown");
    assert_eq!(markdown.lines().count(), states + 2);
    assert!(markdown.contains("prints \"sent 2 of <b>4</b>\""), "{markdown}");
    let itf: Value = serde_json::from_str(&convert("itf")).expect("JSON");
    assert_eq!(itf["states"].as_array().map(Vec::len), Some(states));
    assert_eq!(itf["vars"].as_array().map(Vec::len), Some(variables));
    assert!(itf["states"].as_array().expect("states").iter().any(|state| state["#meta"]["prints"] == "ack"));
    let elements = xml::elements(&convert("xml"));
    assert_eq!(elements.iter().filter(|name| *name == "state").count(), states);
    let dump = convert("vcd");
    let mut parser = vcd::Parser::new(dump.as_bytes());
    let header = parser.parse_header().expect("a header");
    assert!(header.find_var(&["model", "running"]).is_some() && header.find_scope(&["model", "sender_0"]).is_some());
    let times = parser.filter(|command| matches!(command, Ok(vcd::Command::Timestamp(_)))).count();
    assert_eq!(times, states + 1);
}

#[test]
fn the_picture_in_the_docs_is_of_such_a_chart() {
    let page = temporary("abp.html");
    uwbmc(&["simulate", "models/abp/abp-lossy.pml", "--steps", "60", "--seed", "5", "--trace", text(&page)]);
    let Some(mut browser) = browser::start() else { return };
    browser.open(&page);
    browser.evaluate("page.view.select(29)");
    assert!(browser.evaluate("document.querySelectorAll('.arrow.message').length").as_u64() > Some(3));
    browser.keep_picture("messages.png");
}

/// A client and a server that both wait for an answer, beside a process that may stay where it is.
const STUCK: &str = "mtype = { REQ, ACK };
chan c2s = [2] of { mtype, byte };
chan s2c = [1] of { mtype };
chan none = [0] of { byte };
active proctype Client() {
  c2s ! REQ, 1;
  c2s ! REQ, 2;
  s2c ? ACK
}
active proctype Server() {
  byte n;
  c2s ? REQ, n;
  if
  :: s2c ? ACK
  :: n > 1 -> skip
  fi
}
active proctype Idle() {
  end: none ? 1
}
";

#[test]
fn a_channel_is_shown_as_a_queue_and_a_program_counter_as_a_line() {
    let (path, trace) = (temporary("stuck.pml"), temporary("stuck.json"));
    std::fs::write(&path, STUCK).expect("writable");
    let output = uwbmc(&[text(&path), "--property", "end_states", "--trace", text(&trace)]);
    let printed = stdout(&output);
    for line in [
        "  c2s = []\n",
        "  c2s = [REQ, 1]\n",
        "  c2s = [REQ, 1] [REQ, 2]\n",
        "  Client_0 at line 7: c2s ! REQ, 2\n",
        "state 1: Client_0 moves (line 6: c2s ! REQ, 1)\n",
        "  Server_1 at line 14: s2c ? ACK | line 15: n > 1\n",
    ] {
        assert!(printed.contains(line), "{line:?} is not in {printed}");
    }
    assert!(!printed.contains(".len") && !printed.contains(".pc"), "{printed}");
    let waiting = "no process can move\n  Client_0 waits at line 8: s2c ? ACK\n  \
        Server_1 waits at line 14: s2c ? ACK | line 15: n > 1\n  Idle_2 waits at line 19: end: none ? 1 (it may end here)\n";
    assert!(printed.ends_with(waiting), "{printed}");
    let convert = |format: &str| stdout(&uwbmc(&["trace", "convert", text(&trace), "--format", format]));
    assert!(printed.ends_with(&convert("text")), "a trace says the same later");
    let markdown = convert("markdown");
    assert!(
        markdown.contains("`c2s: [] → [REQ, 1]`") && markdown.contains("- `Client_0 waits at line 8"),
        "{markdown}"
    );
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&trace).expect("written")).expect("JSON");
    assert_eq!(document["states"][1]["c2s.len"], 1, "machines read the variables as they are");
    assert_eq!(document["waiting"][1]["statements"][1], serde_json::json!({ "line": 15, "text": "n > 1" }));
    let replayed = stdout(&uwbmc(&["replay", text(&path), text(&trace)]));
    assert!(replayed.contains("end_states is violated in state "), "{replayed}");
    let walk = stdout(&uwbmc(&["simulate", text(&path), "--steps", "2"]));
    assert!(walk.contains("  c2s = []\n") && walk.contains(" at line "), "{walk}");
}

#[test]
fn the_browser_shows_queues_lines_and_who_waits_where() {
    let (path, page) = (temporary("stuck-page.pml"), temporary("stuck.html"));
    std::fs::write(&path, STUCK).expect("writable");
    uwbmc(&[text(&path), "--html", text(&page)]);
    let Some(mut browser) = browser::start() else { return };
    browser.open(&page);
    browser.press("End");
    let shown = browser.evaluate("document.querySelector('main').innerText");
    let shown = shown.as_str().expect("a text");
    for part in ["no process can move", "Client_0 waits at line 8: s2c ? ACK", "[REQ, 2]", "line 14: s2c ? ACK"] {
        assert!(shown.contains(part), "{part:?} is not in {shown}");
    }
    let verdicts = browser.evaluate("document.querySelector('ul[aria-label=verdicts]').innerText");
    for part in ["at its end or at an end label", "Server_1 waits at line 14: s2c ? ACK | line 15: n > 1"] {
        assert!(verdicts.as_str().is_some_and(|text| text.contains(part)), "{verdicts}");
    }
    let places = browser.evaluate("[...document.querySelectorAll('.graph .here')].map(place => place.textContent)");
    assert_eq!(places[0], "at 8: s2c ? ACK", "{places}");
    let graphs = browser.evaluate("document.querySelectorAll('.point.current').length");
    assert_eq!(graphs, 2, "the graphs know where processes are");
}

#[test]
fn what_only_serves_the_search_is_not_shown() {
    let (path, trace) = (temporary("control.pml"), temporary("control.json"));
    let model = "byte x; chan c = [0] of { byte };
active proctype A() { atomic { x = 1; c ! 1; x = 2 } }
active proctype B() { byte y; c ? y; atomic { y == 1 -> x = 3 } }
ltl low { [] (x < 3) }
";
    std::fs::write(&path, model).expect("writable");
    let printed = stdout(&uwbmc(&[text(&path), "--property", "low", "--trace", text(&trace)]));
    let document = std::fs::read_to_string(&trace).expect("written");
    assert!(document.contains("\"_control\"") && document.contains("\"internal\": true"), "there is something to hide");
    assert!(printed.contains("low: violated") && !printed.contains("_control"), "{printed}");
    for format in ["text", "markdown", "html", "csv", "itf", "vcd"] {
        let shown = stdout(&uwbmc(&["trace", "convert", text(&trace), "--format", format]));
        assert!(!shown.contains("_control"), "{format}: {shown}");
    }
    let replayed = stdout(&uwbmc(&["replay", text(&path), text(&trace)]));
    assert!(replayed.contains("low is violated"), "{replayed}");
}
