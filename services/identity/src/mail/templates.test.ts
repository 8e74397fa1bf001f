import { mailTemplateContract } from '@figbase/kit/testing'
import { accountChangedMail } from './account-changed.js'
import { addressChangedMail } from './address-changed.js'
import { addressInUseMail } from './address-in-use.js'
import { passwordChangedMail } from './password-changed.js'
import { passwordResetMail } from './password-reset.js'
import { verifyEmailMail } from './verify-email.js'

mailTemplateContract({
  withExpiringLink: (site, username, url, expiresOn) => [
    verifyEmailMail(site, { username, url, expiresOn }),
    passwordResetMail(site, { username, url, expiresOn }),
  ],
  withLink: (site, username, resetUrl) => [
    addressInUseMail(site, { username, resetUrl }),
    passwordChangedMail(site, { username, resetUrl }),
  ],
  withoutLink: (site, username) => [
    addressChangedMail(site, { username }),
    ...(['deactivated', 'active', 'deleted'] as const).map((became) =>
      accountChangedMail(site, { username, became }),
    ),
  ],
})
