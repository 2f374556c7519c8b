// A picture's blur out of the 25 bytes that stand for it: mirrors ThumbHash of Sources/Cameo/Rendering, and is tested
// against it. The format is Evan Wallace's ThumbHash.

// A channel's terms in their order: those under the diagonal, the mean left out.
function places(across, down) {
  const found = [];
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across && x * down < across * (down - y); x += 1) if (x || y) found.push([x, y]);
  }
  return found;
}

function cosines(length) {
  return Array.from({ length }, (_, place) => (
    Array.from({ length: 7 }, (__, order) => Math.cos((Math.PI / length) * (place + 0.5) * order))));
}

// The RGBA bytes of a blur, stretched to `width` by `height`.
export function blur(hash, width, height) {
  const field = (start, bits) => {
    let value = 0;
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      const at = start + bit;
      value = value * 2 + ((hash[at >> 3] >> (at & 7)) & 1);
    }
    return value;
  };
  const hasAlpha = field(23, 1) === 1;
  const [short, long] = [field(24, 3), hasAlpha ? 5 : 7];
  const isLandscape = field(39, 1) === 1;
  const start = hasAlpha ? 6 : 5;
  let taken = 0;
  const channel = (mean, scale, across, down) => ({
    mean,
    terms: places(across, down).map(([x, y]) => {
      const byte = start + (taken >> 1);
      const nibble = byte < hash.length ? (hash[byte] >> ((taken & 1) * 4)) & 15 : 7;
      taken += 1;
      return [x, y, (nibble / 7.5 - 1) * scale * 2];
    }),
  });
  const lightness = channel(
    field(0, 6) / 63, field(18, 5) / 31, Math.max(3, isLandscape ? long : short),
    Math.max(3, isLandscape ? short : long));
  const yellowBlue = channel(field(6, 6) / 31.5 - 1, (field(27, 6) / 63) * 1.25, 3, 3);
  const redGreen = channel(field(12, 6) / 31.5 - 1, (field(33, 6) / 63) * 1.25, 3, 3);
  const alpha = hasAlpha ? channel((hash[5] & 15) / 15, (hash[5] >> 4) / 15, 5, 5) : null;
  const [columns, rows] = [cosines(width), cosines(height)];
  const value = ({ mean, terms }, column, row) => {
    let sum = mean;
    for (const [x, y, factor] of terms) sum += factor * column[x] * row[y];
    return sum;
  };
  const byte = (share) => Math.floor(Math.min(1, Math.max(0, share)) * 255 + 0.5);
  const bytes = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [l, p, q] = [lightness, yellowBlue, redGreen].map((one) => value(one, columns[x], rows[y]));
      const blue = l - (2 / 3) * p;
      const red = (3 * l - blue + q) / 2;
      bytes.set(
        [byte(red), byte(red - q), byte(blue), alpha ? byte(value(alpha, columns[x], rows[y])) : 255],
        (y * width + x) * 4);
    }
  }
  return bytes;
}

// A canvas with the blur of an asset, in about its aspect; null where none is known.
export function blurCanvas(asset) {
  if (!asset.hash) return null;
  const bytes = Uint8Array.from(atob(asset.hash), (letter) => letter.charCodeAt(0));
  const aspect = asset.width && asset.height ? asset.width / asset.height : 1;
  const width = Math.min(24, Math.max(4, Math.round(aspect >= 1 ? 12 * aspect : 12)));
  const height = Math.min(24, Math.max(4, Math.round(aspect >= 1 ? 12 : 12 / aspect)));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(new ImageData(blur(bytes, width, height), width, height), 0, 0);
  return canvas;
}
