import { Code } from '@connectrpc/connect'
import {
  conflict,
  exhausted,
  failure,
  invalid,
  notFound,
  precondition,
  tooMany,
  unauthenticated,
} from '@figbase/kit/errors'

export const usernameTaken = () =>
  conflict('username_taken', 'a user with this username already exists')

/** The same for an unknown user, a wrong password and an inactive account. */
export const authenticationFailed = () =>
  unauthenticated('authentication_failed', 'no active account has these credentials')

export const tooBusy = () =>
  exhausted('too_busy', 'the server is busy with other requests like this: try again in a moment')

export const signUpDisabled = () =>
  failure(Code.PermissionDenied, 'sign_up_disabled', 'only staff may create accounts here')

/** Not `token_not_valid`: clients would refresh and retry forever. */
export const apiKeyRefused = () =>
  unauthenticated('authentication_failed', 'this API key is unknown, deleted or expired')

/** Only for staff, and for callers who have proved that they read the mail of the address. */
export const emailTaken = () =>
  conflict('email_taken', 'email: another account has already confirmed this address')

export const linkRefused = () => invalid('token', 'is invalid, used or expired: request a new mail')

/** `fields` has the id of each container, with its name as the reason. */
export const lastOwner = (containers: { id: string; name: string }[]) => {
  const names = containers.map(({ name }) => `“${name}”`).join(', ')
  return failure(
    Code.FailedPrecondition,
    'last_owner',
    `you are the only administrator of ${names}, which has other members: delete it, remove them, or make another member an administrator`,
    containers.map(({ id, name }) => ({ field: id, reason: name })),
  )
}

export const passwordWrong = () => invalid('password', 'is wrong')

export const lastAdministrator = () =>
  precondition('last_administrator', 'this is the only administrator of this installation')

export const notYourAccount = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'only the owner can change this account')

const apiKeyNameTaken = () => invalid('name', 'you already have an API key with this name')

export const tooManyApiKeys = (max: number) =>
  invalid('name', `you already have ${max} API keys, which is the maximum: delete one`)

export const userCodeRefused = () =>
  invalid('code', 'is unknown, used or expired: start the login again')

/** With `error` as in RFC 8628. */
const deviceLoginFailed = (error: string, message: string) =>
  failure(Code.InvalidArgument, error, message)

export const deviceLoginPending = () =>
  deviceLoginFailed('authorization_pending', 'the login is not allowed yet: try again')

export const deviceLoginTooFast = () =>
  deviceLoginFailed('slow_down', 'the login is not allowed yet: try again, and wait 5 s longer')

export const deviceLoginRefused = () =>
  deviceLoginFailed('access_denied', 'the login was refused on its page')

export const deviceLoginExpired = () =>
  deviceLoginFailed('expired_token', 'the login is unknown, used or expired: start it again')

export const signInExpired = () =>
  precondition(
    'sign_in_expired',
    'the sign-in has expired or was started in another browser: sign in again',
  )

export const signInRefused = () =>
  failure(Code.PermissionDenied, 'sign_in_refused', 'the identity provider did not sign you in')

export const noProvider = () => notFound('an identity provider')

export const settingsChanged = () =>
  precondition('version_mismatch', 'the settings were changed since you read them: read them again')

export const tooManyMetadataProxies = (max: number, resetMs: number) =>
  tooMany(
    'too_many_metadata_proxies',
    `you already have ${max} open mailboxes, which is the maximum: delete one or wait until one expires`,
    { isExceeded: true, limit: max, remaining: 0, resetMs },
  )

const sshKeyNameTaken = () => invalid('name', 'you already have an SSH key with this name')

const sshKeyTaken = () => invalid('private_key', 'you already have this SSH key')

export const tooManySshKeys = (max: number) =>
  invalid('name', `you already have ${max} SSH keys, which is the maximum: delete one`)

export const sshKeyNotFound = () => notFound('this SSH key')

/** Errors by violated constraint; the second is violated by a username that differs only in case. */
export const byConstraint = {
  account_pkey: usernameTaken,
  account_username_lower_key: usernameTaken,
  api_key_owner_name_key: apiKeyNameTaken,
  account_email_held_key: emailTaken,
  ssh_key_owner_name_key: sshKeyNameTaken,
  ssh_key_owner_fingerprint_key: sshKeyTaken,
}
