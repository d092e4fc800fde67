// A picture, as a blob of its bytes: no address of the daemon is put into the page.
import { useEffect, useMemo, useState } from "preact/hooks";
import { HexView } from "./hex_view.js";

export function PictureView({ bytes, type, name }: { bytes: Uint8Array<ArrayBuffer>; type: string; name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type })), [bytes, type]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const [pixels, setPixels] = useState("");
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <HexView head={bytes.subarray(0, 4_096)} size={bytes.length} />;
  return (
    <figure class="files-picture">
      <img
        src={url}
        alt={name}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setPixels(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setBroken(true)}
      />
      <figcaption class="quiet">{pixels}</figcaption>
    </figure>
  );
}
