import type { EnvReader } from '@figbase/kit/config'
import { readAiModels, readKeyRetention } from '@figbase/kit/settings'
import { readDeviceLoginSettings } from './device-login-settings.js'
import { emailProblem, usernameProblem } from './domain/new-user.js'
import { passwordFormProblem } from './domain/password.js'
import { readLimitSettings } from './limits.js'
import { readSshKeySettings } from './ssh/settings.js'
import { readOidcSettings } from './sso/settings.js'

export const readConfig = (env: EnvReader) => ({
  signUpEnabled: env.bool(
    'SIGN_UP_ENABLED',
    true,
    'whether anyone may create an account; staff can override this in the site settings',
  ),
  accessTokenLifeMs: env.duration(
    'ACCESS_TOKEN_LIFETIME',
    '15m',
    'how long an access token is valid',
  ),
  refreshTokenLifeMs: env.duration(
    'REFRESH_TOKEN_LIFETIME',
    '1d',
    'how long a refresh token is valid',
  ),
  rememberedRefreshTokenLifeMs: env.duration(
    'REMEMBERED_REFRESH_TOKEN_LIFETIME',
    '30d',
    'how long a refresh token is valid for a user who asked to be remembered',
  ),
  hashConcurrency: env.positiveInt(
    'PASSWORD_HASH_CONCURRENCY',
    2,
    'password hashes that run concurrently; each takes 19 MiB and a core',
  ),
  apiKeysMax: env.int('API_KEYS_MAX', 100, 'maximum number of API keys per user'),
  ...readLimitSettings(env),
  userProfileBytesMax: env.bytes(
    'USER_PROFILE_BYTES_MAX',
    '256KiB',
    'maximum size of the JSON `user_profile` of a user',
  ),
  avatarBytesMax: env.bytes('AVATAR_BYTES_MAX', '2MiB', 'maximum size of an uploaded avatar (PNG)'),
  emailVerificationLifeMs: env.duration(
    'EMAIL_VERIFICATION_LIFETIME',
    '3d',
    'how long an e-mail verification link is valid',
  ),
  passwordResetLifeMs: env.duration(
    'PASSWORD_RESET_LIFETIME',
    '1h',
    'how long a password reset link is valid',
  ),
  publicUrl: env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy'),
  port: env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one'),
  aiModels: readAiModels(env).models,
  metadataProxiesMax: env.int(
    'METADATA_PROXIES_MAX',
    1000,
    'maximum number of open metadata mailboxes per user',
  ),
  metadataBytesMax: env.bytes(
    'METADATA_BYTES_MAX',
    '64KiB',
    'maximum size of the content of a metadata mailbox',
  ),
  metadataLifeMs: lessThanADay(
    env,
    'METADATA_PROXY_LIFETIME',
    env.duration(
      'METADATA_PROXY_LIFETIME',
      '23h',
      'maximum lifetime of a metadata mailbox; less than a day',
    ),
  ),
  ...readAdministrator(env),
  adminPasswordFile: env.text(
    'ADMIN_PASSWORD_FILE',
    '',
    'creates the first administrator, if there is none, and writes a random password to this file',
  ),
  sessionLifeMs: env.duration('SESSION_LIFETIME', '1d', 'how long a browser stays signed in'),
  staffActionRetentionMs: env.duration(
    'STAFF_ACTION_RETENTION',
    '365d',
    'how long the list of what staff did is kept',
  ),
  deviceLogin: readDeviceLoginSettings(env),
  keyRetentionMs: readKeyRetention(env),
  oidc: readOidcSettings(env),
  sshKeys: readSshKeySettings(env),
})

export type Config = ReturnType<typeof readConfig>

function readAdministrator(env: EnvReader) {
  const adminUsername = env.text('ADMIN_USERNAME', 'admin', 'username of the first administrator')
  const adminEmail = env.text(
    'ADMIN_EMAIL',
    'admin@localhost',
    'e-mail address of the first administrator',
  )
  const adminPassword = env.text(
    'ADMIN_PASSWORD',
    '',
    'creates the first administrator, if there is none, with this password',
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
    env.problems.push(`${name}: must be at least 1 s and less than 1 day`)
  }
  return valueMs
}
