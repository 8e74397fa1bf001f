/** Settings that were renamed: the former name still works. */
const formerNames: Record<string, string> = {
  ACCESS_TOKEN_LIFETIME: 'ACCESS_TOKEN_LIFE',
  EMAIL_VERIFICATION_LIFETIME: 'EMAIL_VERIFICATION_LIFE',
  METADATA_PROXY_LIFETIME: 'METADATA_PROXY_LIFE',
  PASSWORD_HASH_CONCURRENCY: 'PASSWORD_HASHES_AT_A_TIME',
  PASSWORD_RESET_LIFETIME: 'PASSWORD_RESET_LIFE',
  REFRESH_TOKEN_LIFETIME: 'REFRESH_TOKEN_LIFE',
  REMEMBERED_REFRESH_TOKEN_LIFETIME: 'REMEMBERED_REFRESH_TOKEN_LIFE',
  RENDER_CONCURRENCY: 'DRAWINGS_AT_A_TIME',
  RENDER_MEMORY_BYTES_MAX: 'DRAWING_MEMORY_BYTES_MAX',
  S3_IDLE_TIMEOUT: 'S3_SILENCE_TIMEOUT',
  SESSION_LIFETIME: 'SESSION_LIFE',
  STORAGE_IDLE_TIMEOUT: 'STORAGE_SILENCE_TIMEOUT',
  TEXT_CONCURRENCY: 'TEXTS_AT_A_TIME',
  UPLOAD_MEMORY_BYTES_MAX: 'UPLOAD_HELD_BYTES_MAX',
}

type Env = Record<string, string | undefined>

/** The value of a setting, also by its former name. The present name wins. */
export function valueIn(env: Env, name: string): string | undefined {
  const former = formerNames[name]
  return env[name] || (former && env[former])
}

/** The former names that are set, each with the present one. */
export const formerNamesIn = (env: Env): { former: string; name: string }[] =>
  Object.entries(formerNames)
    .map(([name, former]) => ({ former, name }))
    .filter(({ former }) => env[former])
