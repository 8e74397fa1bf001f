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
} from '@figbase/kit'

export const usernameTaken = () =>
  conflict('username_taken', 'a user with this username exists already')

/** The same for an unknown user, a wrong password and an inactive account. */
export const authenticationFailed = () =>
  unauthenticated('authentication_failed', 'no active account has these credentials')

export const tooBusy = () =>
  exhausted('too_busy', 'too much of this is being done already: try again in a moment')

export const signUpDisabled = () =>
  failure(Code.PermissionDenied, 'sign_up_disabled', 'only staff may create accounts here')

/** Never `token_not_valid`, upon which a client would retry without end. */
export const apiKeyRefused = () =>
  unauthenticated('authentication_failed', 'this API key is unknown, deleted or expired')

/** Told only to staff, and to who proved that he reads its mail. */
export const emailTaken = () =>
  conflict('email_taken', 'email: another account has confirmed this address already')

export const linkRefused = () =>
  invalid('token', 'is not valid, or not any more: ask for a new mail')

/** `fields` are the ids of the containers, with their names. */
export const lastOwner = (containers: { id: string; name: string }[]) => {
  const names = containers.map(({ name }) => `“${name}”`).join(', ')
  return failure(
    Code.FailedPrecondition,
    'last_owner',
    `others are members of ${names}, and nobody else governs it: delete it, or remove them, or make another administrator`,
    containers.map(({ id, name }) => ({ field: id, reason: name })),
  )
}

export const passwordWrong = () => invalid('password', 'is not the one of this account')

export const lastAdministrator = () =>
  precondition('last_administrator', 'nobody else could administer this installation')

export const notYourAccount = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'an account is changed by its owner alone')

const apiKeyNameTaken = () => invalid('name', 'is that of another API key of yours')

export const tooManyApiKeys = (max: number) =>
  invalid('name', `you have ${max} API keys already, which is the most that you can`)

export const signInExpired = () =>
  precondition('sign_in_expired', 'this is not, or not any more, a sign-in that this browser began')

export const signInRefused = () =>
  failure(Code.PermissionDenied, 'sign_in_refused', 'the identity provider did not sign you in')

export const noProvider = () => notFound('an identity provider')

export const settingsChanged = () =>
  precondition('version_mismatch', 'the settings were changed since you read them: read them again')

export const tooManyMetadataProxies = (max: number, resetMs: number) =>
  tooMany(
    'too_many_metadata_proxies',
    `you have ${max} open mailboxes already, which is the most that you can: delete one, or wait until one expires`,
    { isExceeded: true, limit: max, remaining: 0, resetMs },
  )

const sshKeyNameTaken = () => invalid('name', 'is that of another SSH key of yours')

const sshKeyKnown = () => invalid('private_key', 'is among your SSH keys already')

export const tooManySshKeys = (max: number) =>
  invalid('name', `you have ${max} SSH keys already, which is the most that you can`)

export const noSuchSshKey = () => notFound('this SSH key')

/** By constraint; the second is violated by a username that differs in case only. */
export const byConstraint = {
  account_pkey: usernameTaken,
  account_username_lower_key: usernameTaken,
  api_key_owner_name_key: apiKeyNameTaken,
  account_email_held_key: emailTaken,
  ssh_key_owner_name_key: sshKeyNameTaken,
  ssh_key_owner_fingerprint_key: sshKeyKnown,
}
