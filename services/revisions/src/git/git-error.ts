export type GitReason =
  /** The URL, the branch or the private key is not valid. */
  | 'refused_url'
  /** The host is not on the public Internet. */
  | 'address_refused'
  | 'unreachable'
  /** To another host. */
  | 'redirected'
  | 'not_found'
  | 'authentication_failed'
  /** The SSH server has another key than at the first use. */
  | 'host_key_changed'
  | 'branch_missing'
  | 'too_large'
  | 'too_many_objects'
  | 'too_many_files'
  | 'too_many_tags'
  | 'timed_out'
  /** The server does not speak the protocol of Git, or its objects are not valid. */
  | 'corrupt'
  /** Git, or ssh for a repository over SSH, is not installed here. */
  | 'unavailable'

/** A repository cannot be fetched or read. The message is for users. */
export class GitError extends Error {
  override name = 'GitError'
  constructor(
    readonly reason: GitReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
