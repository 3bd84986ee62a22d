use std::{env, error::Error, fs, path::Path};

use pb_rs::{ConfigBuilder, types::FileDescriptor};

fn main() -> Result<(), Box<dyn Error>> {
    let [_, _, file, folder] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("generate PROTOC FILE FOLDER".into());
    };
    let beside = Path::new(file).parent().ok_or("the file is in no folder")?;
    let config = ConfigBuilder::new(&[Path::new(file)], None, Some(&Path::new(folder)), &[beside])?;
    FileDescriptor::run(&config.dont_use_cow(true).headers(false).build())?;
    // A field whose message has a list of doubles in it has the lifetime of what is no longer borrowed.
    let made = Path::new(folder).join("document.rs");
    fs::write(&made, fs::read_to_string(&made)?.replace("<'a>>,", ">,"))?;
    Ok(())
}
