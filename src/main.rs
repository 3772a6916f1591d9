//! scratch
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let source = uwbmc::source::Source::new(path.clone(), &bytes);
        let loaded = uwbmc::smv::load(&source, &[]);
        if loaded.diagnostics.has_errors() { println!("BAD {path}"); } else { println!("OK {path}"); }
        eprint!("{}", loaded.diagnostics.render(&source, uwbmc::diagnostic::Style::Plain));
    }
}
