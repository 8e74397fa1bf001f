import { generate } from 'selfsigned'
import { type Manifest, ofKind } from '../chart/manifests.js'
import { secretOf } from './objects.js'

const hourMs = 3_600_000
const dnsName = 2

type Issued = { key: string; cert: string }

/**
 * The Secrets that cert-manager makes of the Certificates among the manifests: `tls.crt`, `tls.key`, and in `ca.crt` the
 * authority of the issuer.
 */
export async function issueCertificates(manifests: Manifest[]): Promise<Manifest[]> {
  const certificates = ofKind(manifests, 'Certificate')
  const authorities = new Map<string, Issued>()
  for (const { spec } of certificates.filter(({ spec }) => spec.isCA)) {
    authorities.set(spec.secretName, await issue(spec))
  }
  const secrets: Manifest[] = []
  for (const { metadata, spec } of certificates.filter(({ spec }) => !spec.isCA)) {
    const issuer = ofKind(manifests, spec.issuerRef.kind ?? 'Issuer').find(
      (one) => one.metadata.name === spec.issuerRef.name,
    )
    const authority = authorities.get(issuer?.spec.ca?.secretName)
    if (!authority) throw new Error(`Certificate ${metadata.name}: its issuer has no authority`)
    const { key, cert } = await issue(spec, authority)
    const files = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert }
    secrets.push(secretOf(spec.secretName, files))
  }
  return secrets
}

type CertificateSpec = {
  commonName: string
  dnsNames?: string[]
  duration: string
  usages?: string[]
  isCA?: boolean
}

async function issue(spec: CertificateSpec, ca?: Issued): Promise<Issued> {
  const { commonName, dnsNames = [], duration, usages = [], isCA = false } = spec
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(ca && { ca }),
    notAfterDate: new Date(Date.now() + Number.parseInt(duration, 10) * hourMs),
    extensions: isCA
      ? [{ name: 'basicConstraints', cA: true, critical: true }]
      : [
          { name: 'subjectAltName', altNames: dnsNames.map((value) => ({ type: dnsName, value })) },
          {
            name: 'extKeyUsage',
            serverAuth: usages.includes('server auth'),
            clientAuth: usages.includes('client auth'),
          },
        ],
  })
  return { key: made.private, cert: made.cert }
}
