// A name comes from the sender and may be megabytes long; the path goes into a reply and a log line.
const nameLengthMax = 64

/** The path of a member inside `path`, fit to be shown: `metadata` and `title` give `metadata.title`. */
export function memberPath(path: string, name: string): string {
  const shown = name.length > nameLengthMax ? `${cut(name)}…` : name
  return path === '' ? shown : `${path}.${shown}`
}

// The cut may fall inside a surrogate pair, and half of one has no UTF-8.
function cut(name: string): string {
  return name.slice(0, nameLengthMax).replace(/\p{Surrogate}$/u, '')
}
