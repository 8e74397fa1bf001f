import { mailTemplateContract, messagesContract } from '@figbase/kit/testing'
import { invitationMail } from './invitation.js'

messagesContract({
  messages: new URL('../../../messages/', import.meta.url),
  sources: new URL('../../../src/', import.meta.url),
})

mailTemplateContract({
  withExpiringLink: (frame, name, url, expiresOn) => [
    invitationMail(frame, { inviter: name, target: 'workspace', targetName: name, url, expiresOn }),
  ],
})
