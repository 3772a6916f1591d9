//! A headless Chromium, driven over the pipe of its DevTools protocol: no port, no driver, no further dependency.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long the browser may take for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    profile: PathBuf,
    last_id: u64,
    /// What the page reported so far: requests, messages on the console, exceptions.
    pub events: Vec<Value>,
}

/// The browser's program: in the environment variable `CHROMIUM`, or in the path.
fn find() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&paths);
    named.or_else(|| {
        folders.find_map(|folder| {
            ["chromium", "chromium-browser", "google-chrome"]
                .map(|name| folder.join(name))
                .into_iter()
                .find(|path| path.is_file())
        })
    })
}

/// A browser with a large page, unless there is none here.
pub fn start() -> Option<Browser> {
    let program = find();
    if program.is_none() {
        println!("skipped: Chromium is not installed");
    }
    program.map(|program| Browser::start(&program, 1400, 1200))
}

/// The least contrast, as WCAG defines it, between the texts that selectors find and the colours behind them.
fn contrast(selectors: &[&str]) -> String {
    format!(
        "(() => {{
  const parse = c => c.match(/[0-9.]+/g).map(Number);
  const light = c => {{ const [r, g, b] = parse(c).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; }};
  const behind = n => {{ for (; n; n = n.parentElement) {{ const c = getComputedStyle(n).backgroundColor;
    if (parse(c)[3] !== 0) return c; }} return 'rgb(255,255,255)'; }};
  return Math.min(...{selectors:?}.map(s => {{ const n = document.querySelector(s);
    const [a, b] = [light(getComputedStyle(n).color), light(behind(n))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }}));
}})()"
    )
}

impl Browser {
    /// Whether a page can be read in light and in dark surroundings: the least contrast in each is enough.
    pub fn assert_readable(&mut self, selectors: &[&str]) {
        for (scheme, paper) in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 31)")] {
            let feature = json!({"name": "prefers-color-scheme", "value": scheme});
            self.call("Emulation.setEmulatedMedia", json!({"features": [feature]}));
            let worst = self.evaluate(&contrast(selectors)).as_f64().expect("a number");
            assert!(worst >= 4.5, "the worst contrast in {scheme} mode is {worst}");
            assert_eq!(self.evaluate("getComputedStyle(document.body).backgroundColor"), paper);
        }
    }

    /// Starts a browser with an empty page of this size.
    fn start(program: &Path, width: u32, height: u32) -> Browser {
        let profile = format!("profile-{}-{:?}", std::process::id(), std::thread::current().id());
        let profile = crate::scratch().join(profile.replace(['(', ')'], "-"));
        // The protocol is spoken on the file descriptors 3 and 4, which a shell connects.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"])
            .args([format!("--window-size={width},{height}"), format!("--user-data-dir={}", profile.display())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let (sender, messages) = channel();
        let output = child.stdout.take().expect("piped");
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("the protocol is JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take().expect("piped");
        let mut browser = Browser { child, input, messages, session: None, profile, last_id: 0, events: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", metrics);
        browser
    }

    /// Calls a method of the protocol and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(message.to_string().as_bytes()).expect("the browser listens");
        self.input.write_all(&[0]).expect("the browser listens");
        self.input.flush().expect("the browser listens");
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{method}: {error}"));
            if message["id"] == self.last_id {
                assert!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        self.events.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.messages.recv_timeout(PATIENCE).expect("the page loads");
            self.events.push(event);
        }
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Tab" => 9,
            "Enter" => 13,
            other => panic!("the key {other} has no code here"),
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let params = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Clicks into the middle of the first element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        let place = self.evaluate(&format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect();
                return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Types a text where the focus is.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// What went wrong in the page, and what it asked the network for.
    pub fn complaints(&mut self) -> Vec<String> {
        // Whatever happened before this call is reported before its answer.
        self.evaluate("0");
        let file =
            |event: &&Value| event["params"]["request"]["url"].as_str().is_some_and(|url| url.starts_with("file:"));
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded") => true,
            Some("Network.requestWillBeSent") => !file(event),
            _ => false,
        };
        self.events.iter().filter(is_bad).map(Value::to_string).collect()
    }

    /// Takes a picture of the page and compares it with the one in docs/; `UPDATE=1` writes it there.
    pub fn keep_picture(&mut self, name: &str) {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let picture = decode(shot["data"].as_str().expect("a picture"));
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000);
        let path = crate::root().join("docs").join(name);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &picture).expect("writable");
        }
        // Fonts differ between machines, so only the size is compared.
        let committed = std::fs::read(&path).expect("committed");
        assert_eq!(committed[16..24], picture[16..24], "width and height");
    }
}

fn decode(base64: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> = base64
        .bytes()
        .filter_map(|byte| alphabet.iter().position(|letter| *letter == byte))
        .map(|digit| digit as u32)
        .collect();
    digits.chunks(4).flat_map(decoded).collect()
}

/// The bytes of a group of four digits in base 64.
fn decoded(group: &[u32]) -> Vec<u8> {
    let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
    bits.to_be_bytes()[1..group.len()].to_vec()
}

impl Drop for Browser {
    /// Asks the browser to close, so that all its processes end, and kills it if it does not.
    fn drop(&mut self) {
        let _ = self.input.write_all(b"{\"id\": 0, \"method\": \"Browser.close\"}\0");
        let _ = self.input.flush();
        for _ in 0..100 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
