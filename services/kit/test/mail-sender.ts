import { message } from '../src/mail/contract.js'
import { mailerTo } from './mail-server.js'

/** A process that sends one mail to `SMTP_URL`, with the authorities that Node.js was started with. */
await using mailer = mailerTo(process.env.SMTP_URL ?? '')
await mailer.send(message)
