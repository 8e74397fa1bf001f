import type { EnvReader } from '@figbase/kit'
import { emailProblem, usernameProblem } from './domain/new-user.js'
import { passwordFormProblem } from './domain/password.js'
import { readLimitSettings } from './limits.js'
import { readSshKeySettings } from './ssh/settings.js'
import { readOidcSettings } from './sso/settings.js'

export const readConfig = (env: EnvReader) => ({
  signUpEnabled: env.bool(
    'SIGN_UP_ENABLED',
    true,
    'whether anyone may create an account, until staff decide in the settings of the site',
  ),
  accessTokenLifeMs: env.duration('ACCESS_TOKEN_LIFE', '15m', 'how long an access token is valid'),
  refreshTokenLifeMs: env.duration('REFRESH_TOKEN_LIFE', '1d', 'how long a refresh token is valid'),
  rememberedRefreshTokenLifeMs: env.duration(
    'REMEMBERED_REFRESH_TOKEN_LIFE',
    '30d',
    'how long a refresh token is valid for a user who asked to be remembered',
  ),
  hashesAtATime: env.positiveInt(
    'PASSWORD_HASHES_AT_A_TIME',
    2,
    'passwords hashed at a time; each takes 19 MiB and a core',
  ),
  apiKeysMax: env.int('API_KEYS_MAX', 100, 'API keys that a user can have'),
  ...readLimitSettings(env),
  userProfileBytesMax: env.bytes(
    'USER_PROFILE_BYTES_MAX',
    '256KiB',
    'size of the JSON `user_profile` of a user',
  ),
  avatarBytesMax: env.bytes('AVATAR_BYTES_MAX', '2MiB', 'size of the picture of a user, as a PNG'),
  emailVerificationLifeMs: env.duration(
    'EMAIL_VERIFICATION_LIFE',
    '3d',
    'how long the link of a mail confirms an e-mail address',
  ),
  passwordResetLifeMs: env.duration(
    'PASSWORD_RESET_LIFE',
    '1h',
    'how long the link of a mail lets somebody choose a new password',
  ),
  publicUrl: env.url('PUBLIC_URL', '', 'the address of Figbase as people see it, behind a proxy'),
  port: env.port('PORT', 8000, 'its port; 0: the system chooses'),
  aiModels: env.list('AI_MODELS', 'the language models that staff can choose from'),
  metadataProxiesMax: env.int(
    'METADATA_PROXIES_MAX',
    1000,
    'mailboxes between notebook pages and their kernels that a user can have open',
  ),
  metadataBytesMax: env.bytes('METADATA_BYTES_MAX', '64KiB', 'size of what is in such a mailbox'),
  metadataLifeMs: lessThanADay(
    env,
    'METADATA_PROXY_LIFE',
    env.duration(
      'METADATA_PROXY_LIFE',
      '23h',
      'how long such a mailbox is open at most; less than a day',
    ),
  ),
  ...readAdministrator(env),
  adminPasswordFile: env.text(
    'ADMIN_PASSWORD_FILE',
    '',
    'makes the first administrator, with a password written to this file, when there is none',
  ),
  sessionLifeMs: env.duration(
    'SESSION_LIFE',
    '1d',
    'how long a browser stays signed in to the pages',
  ),
  oidc: readOidcSettings(env),
  sshKeys: readSshKeySettings(env),
})

export type Config = ReturnType<typeof readConfig>

function readAdministrator(env: EnvReader) {
  const adminUsername = env.text('ADMIN_USERNAME', 'admin', 'the name of the first administrator')
  const adminEmail = env.text(
    'ADMIN_EMAIL',
    'admin@localhost',
    'the e-mail of the first administrator',
  )
  const adminPassword = env.text(
    'ADMIN_PASSWORD',
    '',
    'makes the first administrator, with this password, when there is none',
  )
  const problems = {
    ADMIN_USERNAME: usernameProblem(adminUsername),
    ADMIN_EMAIL: emailProblem(adminEmail),
    ADMIN_PASSWORD: adminPassword && passwordFormProblem(adminPassword, adminUsername),
  }
  for (const [name, problem] of Object.entries(problems)) {
    if (problem) env.problems.push(`${name}: ${problem}`)
  }
  return { adminUsername, adminEmail, adminPassword }
}

const dayMs = 86_400_000

function lessThanADay(env: EnvReader, name: string, valueMs: number) {
  if (valueMs < 1000 || valueMs >= dayMs) {
    env.problems.push(`${name}: must be a second at least, and less than a day`)
  }
  return valueMs
}
