import { execFile } from 'node:child_process'
import { accessSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { withoutBrowser } from '@figbase/kit/testing/chromium'
import { deployment } from './deployment.js'

const withoutChromium =
  deployment.topology === 'image' ? 'the image has no Chromium' : withoutBrowser

/** Why tests of PDFs are skipped: the product makes them with the Chromium of this machine. */
export const withoutPdf: string | false =
  withoutChromium || (isOnPath('pdftotext') ? false : 'needs pdftotext (poppler-utils)')

export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))

/** The text of a PDF with its title and addresses; its pages end with a form feed. */
export async function textOfPdf(bytes: Buffer): Promise<string> {
  const [text, info, addresses] = await Promise.all([
    run('pdftotext', ['-', '-'], bytes),
    run('pdfinfo', ['-'], bytes),
    run('pdfinfo', ['-url', '-'], bytes),
  ])
  return `${text}${info}${addresses}`
}

function run(program: string, args: string[], input: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
    child.stdin?.end(input)
  })
}

function isOnPath(name: string) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name))
      return true
    } catch {
      return false
    }
  })
}
