import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../launched.js'

/** The mails written to files, without soft line breaks. */
export async function mailsIn(dataDir: string): Promise<string[]> {
  const dir = join(dataDir, 'mail')
  const files = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const texts = await Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')))
  return texts.map((text) => text.replaceAll('=\r\n', ''))
}

/** The token of the verification mail to a user; waits for the mail. */
export async function confirmationToken(dataDir: string, username: string): Promise<string> {
  let token: string | undefined
  await until(async () => {
    const mail = (await mailsIn(dataDir)).find((text) => text.includes(`To: ${username}@`))
    token = /verify-email\/([\w.-]+)/.exec(mail ?? '')?.[1]
    return token !== undefined
  }, 'the verification mail')
  return token ?? ''
}
