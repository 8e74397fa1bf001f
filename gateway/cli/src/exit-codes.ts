/** Scripts rely on them: see the table in the guide. */
export const exitCode = {
  success: 0,
  /** The server or the network failed; the same command may succeed later. */
  failure: 1,
  usage: 2,
  /** Not signed in, or no permission. */
  notAllowed: 3,
  notFound: 4,
  /** The server rejected the input: invalid, in conflict, too large. */
  invalid: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
