// Clients may send names of megabytes; the path goes into responses and log lines.
const nameLengthMax = 64

/** The path of a member for messages: `metadata` and `title` give `metadata.title`. Long names are cut. */
export function memberPath(path: string, name: string): string {
  const shortened = name.length > nameLengthMax ? `${truncate(name)}…` : name
  return path === '' ? shortened : `${path}.${shortened}`
}

// Removes half of a surrogate pair, which cannot be encoded in UTF-8.
function truncate(name: string): string {
  return name.slice(0, nameLengthMax).replace(/\p{Surrogate}$/u, '')
}
