//! Plots as SVG: lines or dots over linear or logarithmic axes.

use std::fmt::Write;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten.
    Log,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// How it is divided.
    pub scale: Scale,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Joined, in their order.
    Line,
    /// Each by itself.
    Dots,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// x and y.
    pub points: Vec<(f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// How the points are drawn.
    pub mark: Mark,
    /// Whether the line where both are equal is drawn; both axes then show the same.
    pub diagonal: bool,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// Colours that people with any colour vision tell apart (M. Okabe, K. Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "currentColor"];

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;

/// An axis with the values at its ends.
struct Range<'a> {
    axis: &'a Axis,
    low: f64,
    high: f64,
}

impl<'a> Range<'a> {
    fn new(axis: &'a Axis, values: impl Iterator<Item = f64>) -> Range<'a> {
        let values: Vec<f64> = values.filter(|value| axis.scale == Scale::Linear || *value > 0.0).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low.is_finite() { (low, high) } else { (1.0, 1.0) };
        match axis.scale {
            Scale::Linear => Range { axis, low: low.min(0.0), high: if high > low { high } else { low + 1.0 } },
            Scale::Log => {
                let (low, high) = (low.log10().floor(), high.log10().ceil());
                Range { axis, low, high: if high > low { high } else { low + 1.0 } }
            }
        }
    }

    /// Where a value is, from 0 to 1.
    fn position(&self, value: f64) -> f64 {
        let value = match self.axis.scale {
            Scale::Linear => value,
            Scale::Log => value.max(1e-9).log10(),
        };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        match self.axis.scale {
            Scale::Log => (self.low as i32..=self.high as i32).map(|power| 10f64.powi(power)).collect(),
            Scale::Linear => {
                let step = nice_step((self.high - self.low) / 6.0);
                let count = ((self.high - self.low) / step).floor() as usize;
                (0..=count).map(|index| self.low + index as f64 * step).collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten.
fn nice_step(about: f64) -> f64 {
    let power = 10f64.powf(about.log10().floor());
    let times = about / power;
    power
        * if times <= 1.0 {
            1.0
        } else if times <= 2.0 {
            2.0
        } else if times <= 5.0 {
            5.0
        } else {
            10.0
        }
}

/// The size of letters at which a title fits beside the margins.
fn title_size(title: &str) -> f64 {
    /// The size of short titles.
    const USUAL: f64 = 15.0;
    /// The width of most letters, of their size.
    const WIDE: f64 = 0.55;
    let letters = title.chars().count() as f64;
    let fitting = (WIDTH - LEFT - RIGHT) / (WIDE * letters);
    USUAL.min((10.0 * fitting).floor() / 10.0)
}

impl Plot {
    /// The plot as a picture of its own. Inside a page, the page's colour of texts is that of axes and labels.
    pub fn render(&self) -> String {
        let points = self.series.iter().flat_map(|series| &series.points);
        let (x, y) = if self.diagonal {
            let both = points.flat_map(|(x, y)| [*x, *y]);
            (Range::new(&self.x, both.clone()), Range::new(&self.y, both))
        } else {
            (Range::new(&self.x, points.clone().map(|(x, _)| *x)), Range::new(&self.y, points.map(|(_, y)| *y)))
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\" color=\"black\" fill=\"currentColor\">\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let (title, size) = (escape(&self.title), title_size(&self.title));
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"22\" font-size=\"{size}\">{title}</text>");
        draw_axes(&mut svg, &x, &y);
        if self.diagonal {
            let (x1, y1, x2, y2) = (across(0.0), up(0.0), across(1.0), up(1.0));
            let _ = writeln!(
                svg,
                "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"currentColor\" stroke-opacity=\".4\" stroke-dasharray=\"4\"/>"
            );
        }
        for (index, series) in self.series.iter().enumerate() {
            self.draw(&mut svg, series, COLOURS[index % COLOURS.len()], index, (&x, &y));
        }
        svg + "</svg>\n"
    }

    fn draw(&self, svg: &mut String, series: &Series, colour: &str, index: usize, (x, y): (&Range<'_>, &Range<'_>)) {
        let places: Vec<(f64, f64)> =
            series.points.iter().map(|point| (across(x.position(point.0)), up(y.position(point.1)))).collect();
        if self.mark == Mark::Line {
            let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"/>", path.join(" "));
        }
        for ((x, y), point) in places.iter().zip(&series.points) {
            let title = format!("{}: {}, {}", escape(&series.name), number(point.0), number(point.1));
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"><title>{title}</title></circle>"
            );
        }
        let row = TOP + 14.0 + 16.0 * index as f64;
        let (dot, text) = (LEFT + 14.0, LEFT + 22.0);
        let _ = writeln!(svg, "<circle cx=\"{dot}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>", row - 4.0);
        let _ = writeln!(svg, "<text x=\"{text}\" y=\"{row:.1}\">{}</text>", escape(&series.name));
    }
}

fn across(position: f64) -> f64 {
    LEFT + position * (WIDTH - LEFT - RIGHT)
}

fn up(position: f64) -> f64 {
    HEIGHT - BOTTOM - position * (HEIGHT - TOP - BOTTOM)
}

fn draw_axes(svg: &mut String, x: &Range<'_>, y: &Range<'_>) {
    let (left, right, bottom, top) = (across(0.0), across(1.0), up(0.0), up(1.0));
    let _ = writeln!(svg, "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"currentColor\"/>");
    for tick in x.ticks() {
        let at = across(x.position(tick));
        let _ = writeln!(svg, "<path d=\"M{at:.1} {bottom}V{top}\" stroke=\"currentColor\" stroke-opacity=\".1\"/>");
        let label = number(tick);
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>", bottom + 18.0);
    }
    for tick in y.ticks() {
        let at = up(y.position(tick));
        let _ = writeln!(svg, "<path d=\"M{left} {at:.1}H{right}\" stroke=\"currentColor\" stroke-opacity=\".1\"/>");
        let label = number(tick);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, at + 4.0);
    }
    let middle = (left + right) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        HEIGHT - 16.0,
        escape(&x.axis.label)
    );
    let height = (bottom + top) / 2.0;
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {height}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(&y.axis.label)
    );
}

fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        let axis = |scale| Axis { label: "a & b".to_owned(), scale };
        Plot {
            title: "<title>".to_owned(),
            x: axis(Scale::Linear),
            y: axis(Scale::Log),
            mark: Mark::Line,
            diagonal: false,
            series: vec![Series { name: "one".to_owned(), points }],
        }
    }

    #[test]
    fn points_are_inside_and_ordered() {
        let svg = plot(vec![(0.0, 0.01), (10.0, 1.0)]).render();
        assert!(svg.contains("70.0,360.0 620.0,40.0"), "{svg}");
        assert!(svg.contains("&lt;title&gt;") && svg.contains("a &amp; b"));
    }

    #[test]
    fn long_titles_have_small_letters() {
        assert_eq!(title_size("models/mutex/peterson-2.smv: time at each bound"), 15.0);
        let long = "x".repeat(110);
        assert!(title_size(&long) < 9.5 && title_size(&long) > 8.5);
        assert!(title_size("") <= 15.0);
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(plot(Vec::new()).render().ends_with("</svg>\n"));
        assert!(!plot(vec![(3.0, 5.0)]).render().contains("NaN"));
    }
}
