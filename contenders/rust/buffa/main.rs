use buffa::{DecodeOptions, HasMessageView, Message, MessageField, MessageFieldView, ProtoBox, RepeatedView};
use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result, Value};

serbench::schema!();

impl<T: Default + Walk, P: ProtoBox<T>> Walk for MessageField<T, P> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        match self.as_option() {
            Some(message) => message.walk(hash),
            None => hash.nil(),
        }
    }
}

impl<T: Default + Fill, P: ProtoBox<T>> Fill for MessageField<T, P> {
    fn fill(value: &Value<'_>) -> Result<Self> {
        Option::fill(value).map(Self::from)
    }
}

impl<T: Walk> Walk for MessageFieldView<T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        match self.as_option() {
            Some(message) => message.walk(hash),
            None => hash.nil(),
        }
    }
}

impl<T: Walk> Walk for RepeatedView<'_, T> {
    #[inline]
    fn walk(&self, hash: &mut Hash) {
        self.iter().for_each(|item| item.walk(hash));
        hash.count(self.len());
    }
}

fn write(root: &Root, out: &mut Output) -> Result {
    out.block(&root.try_encode_to_vec()?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    // The elements of lists may have more than the 32 MiB that it allows otherwise.
    let any = DecodeOptions::new().with_element_memory_limit(usize::MAX);
    if cfg!(feature = "view") {
        any.decode_view::<<Root as HasMessageView>::View<'_>>(data)?.walk(hash);
    } else {
        any.decode_from_slice::<Root>(data)?.walk(hash);
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
