use std::{env, error::Error, path::Path, process::Command};

fn main() -> Result<(), Box<dyn Error>> {
    let [_, compiler, file, folder] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("generate PROTOC FILE FOLDER".into());
    };
    let (Some(beside), Some(name)) = (Path::new(file).parent(), Path::new(file).file_name()) else {
        return Err("the file is in no folder".into());
    };
    let set = Path::new(folder).join("document.binpb");
    let mut command = Command::new(compiler);
    command.arg("--descriptor_set_out").arg(&set).arg("--proto_path").arg(beside).arg(file);
    if !command.status()?.success() {
        return Err("protoc failed".into());
    }
    buffa_build::Config::new().descriptor_set(set).files(&[name]).out_dir(folder).file_per_package(true).compile()
}
