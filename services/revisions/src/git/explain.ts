import { GitError, type GitReason } from './git-error.js'

/** What Git and ssh write when they fail, in the order in which it decides. */
const known: [RegExp, GitReason, string][] = [
  [
    /couldn't find remote ref|Remote branch .* not found/i,
    'branch_missing',
    'the repository has no such branch, or the address is not that of a repository',
  ],
  [
    /Protocol .* (not supported|disabled)|redirects followed|returned error: 3\d\d/i,
    'redirected',
    'the server redirects to another address; use that address instead',
  ],
  [
    /Authentication failed|could not read (Username|Password)|returned error: 40[13]|Permission denied \(/i,
    'authentication_failed',
    'the server refused access: the token or the key is missing, wrong or not allowed to read the repository',
  ],
  [
    /repository .* not found|Repository not found|does not appear to be a git repository|returned error: (404|410)|no such (path|repository)/i,
    'not_found',
    'the server has no such repository, or access to it needs a token or a key',
  ],
  [
    /Out of memory|out of memory|malloc|Cannot allocate memory|File too large|No space left/i,
    'too_large',
    'the repository is too large',
  ],
  [
    /SSL|TLS|certificate|gnutls/i,
    'unreachable',
    'the certificate of the server is not valid, or TLS failed',
  ],
  [
    /mismatched algorithms|unknown object format/i,
    'corrupt',
    'repositories with SHA-256 object names are not supported',
  ],
  [
    /unable to access|Could not resolve|Connection (refused|reset|timed out|closed)|Failed to connect|returned error: 5|kex_exchange/i,
    'unreachable',
    'the server could not be reached, or its answer is an error',
  ],
]

/** The text may have secrets, paths and bytes of the server, so nothing of it is in the message. */
export function explain(text: string): GitError {
  const cause = new Error(oneLine(text))
  for (const [pattern, reason, message] of known) {
    if (pattern.test(text)) return new GitError(reason, message, { cause })
  }
  return new GitError('corrupt', 'the server or the repository is not valid', { cause })
}

const lineCharsMax = 300
const oneLine = (text: string) => text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(-lineCharsMax)
