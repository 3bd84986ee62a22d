use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let [_, compiler, file, folder] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("generate PROTOC FILE FOLDER".into());
    };
    let beside = Path::new(file).parent().ok_or("the file is in no folder")?;
    prost_build::Config::new().protoc_executable(compiler).out_dir(folder).compile_protos(&[file], &[beside])?;
    Ok(())
}
