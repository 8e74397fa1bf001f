import { mailTemplateContract } from '@figbase/kit/testing'
import { invitationMail } from './invitation.js'

mailTemplateContract({
  withExpiringLink: (site, name, url, expiresOn) => [
    invitationMail(site, { inviter: name, target: 'workspace', targetName: name, url, expiresOn }),
  ],
})
