import { message } from '../src/mail/contract.js'
import { mailerTo } from './mail-server.js'

/** A process that sends one mail to `SMTP_URL`, with the certificate authorities of its environment. */
await using mailer = mailerTo(process.env.SMTP_URL ?? '')
await mailer.send(message)
