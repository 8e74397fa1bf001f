import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Finding, ok, warning } from './finding.js'

const daysLeftMin = 14
const dayMs = 86_400_000

/** Warns before a certificate expires: startup fails with an expired one. */
export async function checkCertificate(path: string): Promise<Finding[]> {
  if (path === '') return []
  const { validTo } = new X509Certificate(await readFile(path))
  const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs)
  const text = `is valid for ${days} days`
  if (days >= daysLeftMin) return [ok('RPC_TLS_CERT_FILE', text)]
  const remedy = 'Replace it, and restart the processes one after another.'
  return [warning('RPC_TLS_CERT_FILE', text, remedy)]
}
