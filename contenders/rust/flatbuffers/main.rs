use flatbuffers::FlatBufferBuilder;
use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};
use tables::{Table, pack_root};

serbench::schema!();

#[allow(clippy::all, unused)]
mod generated {
    include!(concat!(env!("SB_GENERATED"), "/data_generated.rs"));
}

#[allow(clippy::all, non_snake_case, unused)]
mod tables {
    use flatbuffers::FlatBufferBuilder as Builder;
    use serbench::Hash;

    use crate::generated::fb;
    use crate::schema::*;

    include!(concat!(env!("SB_GENERATED"), "/tables.rs"));

    impl<'a, T: flatbuffers::Follow<'a, Inner: Walk> + 'a> Walk for flatbuffers::Vector<'a, T> {
        #[inline]
        fn walk(&self, hash: &mut Hash) {
            self.iter().for_each(|item| item.walk(hash));
            hash.count(self.len());
        }
    }

    fn pack_string<'a>(builder: &mut Builder<'a>, text: &String) -> flatbuffers::WIPOffset<&'a str> {
        builder.create_string(text)
    }

    /// What items of a vector are made of, whose offsets are known before it is begun.
    fn pack_items<'a, T, P>(
        builder: &mut Builder<'a>,
        items: &[T],
        pack: fn(&mut Builder<'a>, &T) -> flatbuffers::WIPOffset<P>,
    ) -> flatbuffers::WIPOffset<flatbuffers::Vector<'a, flatbuffers::ForwardsUOffset<P>>> {
        let offsets: Vec<_> = items.iter().map(|item| pack(builder, item)).collect();
        builder.create_vector(&offsets)
    }
}

fn write(root: &Root, out: &mut Output) -> Result {
    let mut builder = FlatBufferBuilder::new();
    let packed = pack_root(&mut builder, root);
    builder.finish_minimal(packed);
    out.block(builder.finished_data());
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let root = if cfg!(feature = "unchecked") {
        // SAFETY: the harness hands out what a writer of the format wrote.
        unsafe { flatbuffers::root_unchecked::<Table<'_>>(data) }
    } else {
        // The apparent size grows where offsets share what they point to.
        let any = flatbuffers::VerifierOptions {
            max_depth: data.len(),
            max_tables: data.len(),
            max_apparent_size: usize::MAX,
            ..Default::default()
        };
        flatbuffers::root_with_opts::<Table<'_>>(&any, data)?
    };
    root.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { incremental: Some(incremental), ..Contender::NONE })
}
