import { mailTemplateContract, messagesContract } from '@figbase/kit/testing'
import { accountChangedMail } from './account-changed.js'
import { addressChangedMail } from './address-changed.js'
import { addressInUseMail } from './address-in-use.js'
import { passwordChangedMail } from './password-changed.js'
import { passwordResetMail } from './password-reset.js'
import { verifyEmailMail } from './verify-email.js'

messagesContract({
  messages: new URL('../../../messages/', import.meta.url),
  sources: new URL('../../../src/', import.meta.url),
})

mailTemplateContract({
  withExpiringLink: (frame, username, url, expiresOn) => [
    verifyEmailMail(frame, { username, url, expiresOn }),
    passwordResetMail(frame, { username, url, expiresOn }),
  ],
  withLink: (frame, username, resetUrl) => [
    addressInUseMail(frame, { username, resetUrl }),
    passwordChangedMail(frame, { username, resetUrl }),
  ],
  withoutLink: (frame, username) => [
    addressChangedMail(frame, { username }),
    ...(['deactivated', 'active', 'deleted'] as const).map((became) =>
      accountChangedMail(frame, { username, became }),
    ),
  ],
})
