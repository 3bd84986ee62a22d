//! The worker: answers the orchestrator's lines (docs/protocol.md) and decides nothing itself.

use std::fs::File;
use std::io::{self, BufRead, Write as _};
use std::os::fd::FromRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use crate::calls::Calls;
use crate::clock::{self, Iteration};
use crate::fragment::fragment;
use crate::heap::{self, Counts};
use crate::message::{Message, quoted};
use crate::task_read::{self, Paths};
use crate::task_write::{self, Made};
use crate::workspace::Workspace;
use crate::{Contender, Document, Fill, Lookup, Read, Write, libc};

const PROTOCOL: u32 = 1;
const MAX_CHUNKS: u64 = 100_000;
/// What the build program says of the worker.
const LANGUAGE: Option<&str> = option_env!("SB_LANGUAGE");
const LIBRARY_VERSION: Option<&str> = option_env!("SB_LIBRARY_VERSION");
const COMPILER: Option<&str> = option_env!("SB_COMPILER");
const FLAGS: Option<&str> = option_env!("SB_FLAGS");

/// The function of the test at hand.
#[derive(Clone, Copy)]
pub enum Task {
    Write(Write),
    Fill(Fill),
    Read(Read),
    Serialize(Document),
    Lookup(Lookup),
}

/// What the harness itself does in an iteration.
pub enum Own {
    Calls(Calls),
    /// Of the outputs, and as many bytes as the most of them.
    Sizes {
        sizes: Vec<usize>,
        block: Vec<u8>,
    },
}

/// All that a worker knows between two lines.
pub struct Session {
    test: String,
    pub task: Task,
    // Both refer to the workspace, and are dropped first.
    pub made: Vec<Made>,
    pub paths: Option<Paths>,
    pub work: Option<Workspace>,
    /// Known once it was asked for.
    pub own: Option<Own>,
    fragmented: bool,
    /// Of the last iteration.
    pub hash: u32,
    /// Why the last call of the contender failed.
    pub reason: String,
}

type Answer = Result<String, String>;

impl Session {
    /// The test `test` of `contender`, with nothing prepared; None if the contender has no such test.
    #[inline(always)]
    pub fn new(contender: &Contender, test: &str) -> Option<Self> {
        Some(Self::of(task_of(contender, test)?, test))
    }

    pub fn of(task: Task, test: &str) -> Self {
        Self {
            test: test.to_owned(),
            task,
            made: Vec::new(),
            paths: None,
            work: None,
            own: None,
            fragmented: false,
            hash: 0,
            reason: String::new(),
        }
    }

    fn iteration(&self) -> Iteration {
        match self.task {
            Task::Read(_) | Task::Lookup(_) => task_read::iterate,
            Task::Write(_) | Task::Fill(_) | Task::Serialize(_) => task_write::iterate,
        }
    }

    fn describe(&self) -> Answer {
        let fields = [
            ("language", LANGUAGE),
            ("test", Some(self.test.as_str())),
            ("library_version", LIBRARY_VERSION),
            ("compiler", COMPILER),
            ("flags", FLAGS),
        ];
        let mut said = format!("\"protocol\":{PROTOCOL}");
        for (name, value) in fields {
            said += &format!(",\"{name}\":{}", quoted(value.unwrap_or_default()));
        }
        Ok(said)
    }

    fn prepare(&mut self, request: &Message) -> Answer {
        self.forget();
        if request.text("input").is_empty() && !matches!(self.task, Task::Write(_) | Task::Fill(_)) {
            return Err("a reader needs an input".to_owned());
        }
        let work = Workspace::load(request)?;
        if !self.fragmented && request.number("fragment", 1) != 0 {
            fragment();
        }
        self.fragmented = true;
        work.select(0);
        match self.task {
            Task::Serialize(make) => self.made = Made::all(make, &work).map_err(|why| why.to_string())?,
            Task::Fill(fill) => self.made = Made::filled(fill, &work).map_err(|why| why.to_string())?,
            Task::Lookup(_) => {
                self.paths = Some(Paths::load(request.path("paths"), work.messages(), work.framed)?);
            }
            _ => {}
        }
        self.work = Some(work);
        Ok(String::new())
    }

    fn forget(&mut self) {
        self.made.clear();
        self.paths = None;
        self.work = None;
        self.own = None;
    }

    fn verify(&mut self, output: &Path) -> Answer {
        match self.task {
            Task::Read(_) | Task::Lookup(_) => task_read::verify(self, output),
            Task::Write(_) | Task::Fill(_) | Task::Serialize(_) => task_write::verify(self, output),
        }
    }

    fn failed(&self) -> Answer {
        Err(self.reason.clone())
    }

    fn sample(&mut self, request: &Message) -> Answer {
        self.timed(request, self.iteration())
    }

    /// Times what the harness itself does in an iteration, and nothing else.
    fn overhead(&mut self, request: &Message) -> Answer {
        let reads = matches!(self.task, Task::Read(_) | Task::Lookup(_));
        if self.own.is_none() {
            self.own = Some(if reads {
                Own::Calls(task_read::record(self)?)
            } else {
                let sizes = task_write::record(self)?;
                let block = vec![b'x'; sizes.iter().copied().max().unwrap_or(0)];
                Own::Sizes { sizes, block }
            });
        }
        self.timed(request, if reads { task_read::overhead } else { task_write::overhead })
    }

    fn timed(&mut self, request: &Message, iteration: Iteration) -> Answer {
        let chunks = request.number("chunks", 1);
        if !(1..=MAX_CHUNKS).contains(&chunks) {
            return Err("a sample has 1 to 100,000 chunks".to_owned());
        }
        let mut wall = vec![0; chunks as usize];
        let mut cpu = wall.clone();
        if !clock::repeat(iteration, self, request.number("warmup", 0)) {
            return self.failed();
        }
        let before = clock::page_faults(); // a system call, as the one behind: outside of all chunks
        if !clock::time_chunks(iteration, self, request.number("iterations", 1), &mut wall, &mut cpu) {
            return self.failed();
        }
        let faults = clock::page_faults() - before;
        let (wall, cpu) = (list(&wall), list(&cpu));
        Ok(format!("\"hash\":\"{:08x}\",\"wall\":[{wall}],\"cpu\":[{cpu}],\"page_faults\":{faults}", self.hash))
    }

    fn count(&mut self, request: &Message) -> Answer {
        if !clock::counted_region(self.iteration(), self, request.number("iterations", 1)) {
            return self.failed();
        }
        Ok(format!("\"hash\":\"{:08x}\"", self.hash))
    }

    fn count_heap(&mut self) -> Answer {
        let Some(counter) = heap::counter() else {
            return Ok("\"allocations\":null,\"bytes\":null,\"peak\":null".to_owned());
        };
        let iterate = self.iteration();
        // What a library allocates once and keeps is not one iteration's.
        if !iterate(self) {
            return self.failed();
        }
        let mut counts = Counts::default();
        // SAFETY: the counting library takes these calls in this order.
        unsafe { (counter.start)() };
        let ok = iterate(self);
        unsafe { (counter.stop)(&mut counts) };
        if !ok {
            return self.failed();
        }
        let Counts { allocations, bytes, peak } = counts;
        Ok(format!("\"allocations\":{allocations},\"bytes\":{bytes},\"peak\":{peak}"))
    }

    /// Answers one request with the fields after `ok`, or with a reason.
    fn answer(&mut self, request: &Message) -> Answer {
        let what = request.text("do");
        match what {
            b"describe" => self.describe(),
            b"prepare" => self.prepare(request),
            b"verify" | b"sample" | b"overhead" | b"count" | b"heap" if self.work.is_none() => {
                Err("nothing is prepared".to_owned())
            }
            b"verify" => self.verify(request.path("output")),
            b"sample" => self.sample(request),
            b"overhead" => self.overhead(request),
            b"count" => self.count(request),
            b"heap" => self.count_heap(),
            _ => Err("unknown request".to_owned()),
        }
    }
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// A panic becomes the row's reason. Where nothing unwinds it ends the worker, and its reason goes to standard error.
fn keep_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = format!("panic: {}", text.or(payload.downcast_ref().copied()).unwrap_or_default());
        if cfg!(panic = "abort") {
            eprintln!("{text}");
        }
        *PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = text;
    }));
}

/// The function of a test; None if the contender has none.
#[inline(always)]
fn task_of(contender: &Contender, test: &str) -> Option<Task> {
    match test {
        "write" => contender.write.map(Task::Write),
        "tree" => contender.tree.map(Task::Read),
        "incremental" => contender.incremental.map(Task::Read),
        "serialize" => contender.serialize.map(Task::Serialize),
        "lookup" => contender.lookup.map(Task::Lookup),
        _ => None,
    }
}

#[inline(never)]
pub fn serve(mut session: Session) -> ExitCode {
    heap::keep_freed_memory();
    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    keep_panics();
    // The protocol keeps standard output to itself: what a library prints goes to standard error.
    let descriptor = libc::dup(1);
    if descriptor < 0 || libc::dup2(2, 1) < 0 {
        return ExitCode::FAILURE;
    }
    // SAFETY: nobody else has the descriptor.
    let mut reply = unsafe { File::from_raw_fd(descriptor) };
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if !matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
            return ExitCode::SUCCESS;
        }
        let request = Message::parse(&line).unwrap_or_default();
        if request.text("do") == b"quit" {
            return ExitCode::SUCCESS;
        }
        let said = catch_unwind(AssertUnwindSafe(|| session.answer(&request)))
            .unwrap_or_else(|_| Err(PANIC.lock().map_or_else(|_| String::new(), |text| text.clone())));
        let mut text = match said {
            Ok(fields) if fields.is_empty() => "{\"ok\":true}".to_owned(),
            Ok(fields) => format!("{{\"ok\":true,{fields}}}"),
            Err(reason) => format!("{{\"ok\":false,\"error\":{}}}", quoted(&reason)),
        };
        text.push('\n');
        if reply.write_all(text.as_bytes()).is_err() {
            return ExitCode::FAILURE;
        }
    }
}

/// A row for a program that has a clock and a loop of its own (benchmarks/criterion): what the worker times, without
/// the worker.
pub struct Row(Session);

impl Row {
    /// Does with `request`, a line `prepare` of docs/protocol.md, what a worker of `test` does with it. The error says
    /// what is wrong.
    pub fn prepare(contender: &Contender, test: &str, request: &str) -> Result<Self, String> {
        heap::keep_freed_memory();
        let mut session = Session::new(contender, test).ok_or("the contender has no such test")?;
        let request = Message::parse(request.as_bytes()).ok_or("the request is no object of JSON")?;
        session.prepare(&request)?;
        Ok(Self(session))
    }

    /// One iteration; its hash, or why the contender failed.
    #[inline]
    pub fn iterate(&mut self) -> Result<u32, String> {
        if clock::repeat(self.0.iteration(), &mut self.0, 1) { Ok(self.0.hash) } else { Err(self.0.reason.clone()) }
    }
}
