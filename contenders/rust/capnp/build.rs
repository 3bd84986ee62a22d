//! Lets capnpc write the code of the schema that generate.py put there, with the compiler `capnp`.

fn main() {
    let folder = std::env::var("SB_GENERATED").expect("the build program names the folder with the schema");
    println!("cargo::rerun-if-changed={folder}/data.capnp");
    let schema = format!("{folder}/data.capnp");
    capnpc::CompilerCommand::new().src_prefix(&folder).file(schema).run().expect("capnp compiles the schema");
}
