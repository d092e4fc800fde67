// An image that came as base64 text. Kinds that can hold a program (SVG) or that browsers do not know are not shown.
import { useState } from "preact/hooks";
import { imageSize, imageUrl } from "./image_url.js";
import "./image.css";

export interface PartImageProps {
  mimeType: string;
  /** Base64. */
  data: string;
  alt?: string;
}

export function PartImage({ mimeType, data, alt = "Image from the agent" }: PartImageProps) {
  const [large, setLarge] = useState(false);
  const [pixels, setPixels] = useState("");
  const [broken, setBroken] = useState(false);
  const url = imageUrl(mimeType, data);
  if (url === undefined || broken) {
    return (
      <p class="image-none">
        An image of the kind {mimeType || "unknown"} ({imageSize(data)}) cannot be shown here.
      </p>
    );
  }
  return (
    <figure class="image">
      <button
        type="button"
        class="image-button"
        aria-pressed={large}
        aria-label={`${alt}, ${large ? "shown in full size" : "shown small"}`}
        title={large ? "Show it small" : "Show it in full size"}
        onClick={() => setLarge(!large)}
      >
        <img
          class={large ? "image-large" : "image-small"}
          src={url}
          alt={alt}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setPixels(`${naturalWidth} × ${naturalHeight}, `)}
          onError={() => setBroken(true)}
        />
      </button>
      <figcaption class="image-caption">
        {pixels}
        {mimeType.slice(6)}, {imageSize(data)}
      </figcaption>
    </figure>
  );
}
