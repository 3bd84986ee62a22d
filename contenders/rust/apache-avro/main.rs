use std::sync::LazyLock;

use apache_avro::Schema;
use apache_avro::reader::datum::GenericDatumReader;
use apache_avro::writer::datum::GenericDatumWriter;
use schema::{AVSC, Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::parse_str(AVSC).expect("the schema is one"));
static WRITER: LazyLock<GenericDatumWriter<'_>> = LazyLock::new(|| {
    GenericDatumWriter::builder(&SCHEMA).human_readable(false).build().expect("the schema is whole")
});
static READER: LazyLock<GenericDatumReader<'_>> = LazyLock::new(|| {
    GenericDatumReader::builder(&SCHEMA).human_readable(false).build().expect("the schema is whole")
});

fn write(root: &Root, out: &mut Output) -> Result {
    out.block(&WRITER.write_ser_to_vec(root)?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let root: Root = READER.read_deser(&mut &*data)?;
    root.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    LazyLock::force(&WRITER);
    LazyLock::force(&READER);
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
