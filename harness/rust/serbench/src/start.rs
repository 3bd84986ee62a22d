//! What a contender's `main` calls.

use std::process::ExitCode;

use crate::worker::{Session, Task, serve};
use crate::{Contender, Output, Result, Serialize, Value};

/// The only test of a program whose size is taken, so that nothing else is linked.
const ONLY_TEST: Option<&str> = option_env!("SB_TEST");

/// The worker of one test, which its first argument names. It ends when its standard input does.
#[inline(always)]
pub fn run(contender: Contender) -> ExitCode {
    let test = test_at_hand();
    serve_if(Session::new(&contender, &test), &test)
}

/// The same for a contender with a schema, whose `write` encodes a struct that `fill` makes of the value tree before
/// the clock runs.
#[inline(always)]
pub fn run_with_struct<T: 'static>(
    fill: fn(&Value<'_>) -> Result<T>,
    write: fn(&T, &mut Output) -> Result,
    contender: Contender,
) -> ExitCode {
    let test = test_at_hand();
    if test != "write" {
        return serve_if(Session::new(&contender, &test), &test);
    }
    let made = move |root: &Value<'_>| -> Result<Serialize<'static>> {
        let root = fill(root)?;
        Ok(Box::new(move |out| write(&root, out)))
    };
    serve(Session::of(Task::Fill(Box::leak(Box::new(made))), &test))
}

#[inline(always)]
fn test_at_hand() -> String {
    match ONLY_TEST {
        Some(test) => test.to_owned(),
        None => std::env::args().nth(1).unwrap_or_default(),
    }
}

#[inline(always)]
fn serve_if(session: Option<Session>, test: &str) -> ExitCode {
    match session {
        Some(session) => serve(session),
        None => {
            eprintln!("the contender has no test {test:?}");
            ExitCode::from(2)
        }
    }
}
