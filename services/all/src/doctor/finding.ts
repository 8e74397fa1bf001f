/** The result of a check. */
export type Finding = {
  /** A setting, a server, or a part of this machine. */
  name: string
  level: 'ok' | 'warning' | 'problem'
  /** The state that was found. */
  text: string
  /** What to do about it. */
  remedy?: string
}

export const ok = (name: string, text: string): Finding => ({ name, level: 'ok', text })

export const warning = (name: string, text: string, remedy: string): Finding => ({
  name,
  level: 'warning',
  text,
  remedy,
})

/** Removes the name from the beginning of the text, where messages of settings have it. */
export const problem = (name: string, text: string, remedy: string): Finding => ({
  name,
  level: 'problem',
  text: withoutName(name, text),
  remedy,
})

function withoutName(name: string, text: string): string {
  if (text.startsWith(`${name}: `)) return text.slice(name.length + 2)
  return text.startsWith(`${name} is `) ? text.slice(name.length + 1) : text
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The message of a ConnectError begins with its code.
  const text = 'rawMessage' in error ? String(error.rawMessage) : error.message
  return text || error.name
}
