//! Tables, words and plots as a page: what `uwbmc compare` and `uwbmc bench` found.
//!
//! Words come as Markdown, as the tool itself writes it for results/: headings, paragraphs, lists, tables, and `code`.
//! Whatever else stands there is shown as it is.

use super::shell;
use super::table;
use crate::table::Table;
use crate::trace::xml::escaped;
use languages::hidden::visible;

/// What makes tables sortable.
const PROGRAM: &str = include_str!("sheet.js");

/// A drawing on a page.
pub struct Figure {
    /// What it shows, for those who cannot see it.
    pub caption: String,
    /// The drawing, as [`crate::plot::Plot::render`] makes it.
    pub svg: String,
}

/// What a page says, piece by piece.
pub enum Part<'a> {
    /// Words in Markdown.
    Words(&'a str),
    /// A table.
    Table(&'a Table),
}

/// A page of tables, words and figures.
pub fn sheet(title: &str, parts: &[Part<'_>], figures: &[Figure]) -> String {
    let mut body = "<main class=\"sheet\">\n".to_owned();
    for part in parts {
        body.push_str(&match part {
            Part::Words(markdown) => blocks(markdown),
            Part::Table(table) => table::table(table),
        });
    }
    if !figures.is_empty() {
        body.push_str("<section class=\"figures\" aria-label=\"plots\">\n");
        for Figure { caption, svg } in figures {
            let caption = plain(caption);
            body.push_str(&format!(
                "<figure role=\"img\" aria-label=\"{caption}\">{svg}<figcaption>{caption}</figcaption></figure>\n"
            ));
        }
        body.push_str("</section>\n");
    }
    body.push_str("</main>\n");
    shell(&visible(title), &body, PROGRAM)
}

/// What lines of Markdown stand for together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Heading,
    Item,
    Row,
    Words,
}

impl Block {
    /// What a line is; `None` for an empty one, which ends what was before it.
    fn of(line: &str) -> Option<Block> {
        match line.trim_start().chars().next()? {
            '#' => Some(Block::Heading),
            '|' => Some(Block::Row),
            '-' => Some(Block::Item),
            _ => Some(Block::Words),
        }
    }
}

fn blocks(markdown: &str) -> String {
    let lines: Vec<&str> = markdown.lines().collect();
    let mut out = String::new();
    for group in lines.chunk_by(|before, line| Block::of(before) == Block::of(line)) {
        out.push_str(&match Block::of(group[0]) {
            None => continue,
            Some(Block::Heading) => group.iter().map(|line| heading(line)).collect::<String>(),
            Some(Block::Item) => {
                format!("<ul>\n{}</ul>\n", group.iter().map(item).collect::<String>())
            }
            Some(Block::Row) => table::written(group),
            Some(Block::Words) => format!("<p>{}</p>\n", text(&group.join(" "))),
        });
    }
    out
}

/// An item of a list.
fn item(line: &&str) -> String {
    format!("<li>{}</li>\n", text(line.trim_start().trim_start_matches("- ")))
}

/// A heading. The first level is the page's own title, which is there already.
fn heading(line: &str) -> String {
    let level = line.chars().take_while(|c| *c == '#').count().min(4);
    if level == 1 { String::new() } else { format!("<h{level}>{}</h{level}>\n", text(line[level..].trim())) }
}

/// A text with its `code`.
pub(super) fn text(markdown: &str) -> String {
    let parts: Vec<&str> = markdown.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(markdown);
    }
    parts.iter().enumerate().map(|(index, part)| piece(index, part)).collect()
}

/// A part of a text between two marks: every other one is code.
fn piece(index: usize, part: &str) -> String {
    if index.is_multiple_of(2) { plain(part) } else { format!("<code>{}</code>", plain(part)) }
}

pub(super) fn plain(text: &str) -> String {
    escaped(&visible(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_blocks() {
        let html = blocks(
            "# title\n\nwords and `code`,\nmore\n\n## part\n\n- one\n- two\n\n| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n",
        );
        for expected in [
            "<p>words and <code>code</code>, more</p>",
            "<h2>part</h2>",
            "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
            "<thead><tr><th scope=\"col\" class=\"number\">a</th><th scope=\"col\" class=\"number\">b|c</th></tr></thead>",
            "<tbody>\n<tr><th scope=\"row\" data-name=\"a\" class=\"number\">1</th><td class=\"number\">2</td></tr>\n</tbody>\n</table>",
        ] {
            assert!(html.contains(expected), "{expected} is missing in\n{html}");
        }
        assert!(!html.contains("title"));
    }

    #[test]
    fn nothing_in_the_words_is_markup() {
        let html = blocks("# <b>\n\n<script>`<i>`\n\n| <img> |\n\n## </main>\n\n- \"&\n\n`odd");
        assert!(!["<script", "<i>", "<img", "</main", "<b>"].iter().any(|tag| html.contains(tag)), "{html}");
        assert!(html.contains("`odd"), "a single mark is a mark");
    }
}
