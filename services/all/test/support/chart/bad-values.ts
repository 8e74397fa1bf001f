/** Values that the chart refuses: what is set, and what Helm says. */
export type BadValues = { set: string[]; says: RegExp }

const servers = [
  'mode="distributed"',
  'secrets.DATABASE_URL={"existingSecret":"x"}',
  'secrets.S3_ACCESS_KEY={"existingSecret":"x"}',
  'secrets.S3_SECRET_KEY={"existingSecret":"x"}',
  'settings.S3_ENDPOINT="https://s3.example.org"',
  'settings.S3_BUCKET="figures"',
]

/** They differ from good values by one thing. */
export const goodValues: string[] = servers

const without = (name: string) => servers.filter((one) => !one.includes(name))
const hosts = ['publicUrl="https://a.example"', 'notebooksUrl="https://b.example"']

export const badValues: Record<string, BadValues> = {
  'an unknown value': { set: ['replicas=2'], says: /additional properties 'replicas' not allowed/ },
  'an unknown value of a process': {
    set: ['processes.gateway={"replica":2}'],
    says: /\/processes\/gateway.*'replica' not allowed/s,
  },
  'an unknown process': { set: ['processes.thumbnails={}'], says: /'thumbnails' not allowed/ },
  'an unknown setting': { set: ['settings.LOGLEVEL="info"'], says: /'LOGLEVEL' not allowed/ },
  'a secret among the settings': {
    set: ['settings.S3_SECRET_KEY="x"'],
    says: /'S3_SECRET_KEY' not allowed/,
  },
  'a setting that is a value of its own': {
    set: ['settings.SHUTDOWN_DELAY="10s"'],
    says: /'SHUTDOWN_DELAY' not allowed/,
  },
  'an unknown secret': {
    set: ['secrets.PASSWORD={"value":"x"}'],
    says: /'PASSWORD' not allowed/,
  },
  'a secret that is given twice': {
    set: [
      'secrets.SMTP_URL={"value":"x","existingSecret":"y"}',
      'settings.MAIL_FROM="a@b.example"',
    ],
    says: /\/secrets\/SMTP_URL.*oneOf/s,
  },
  'the tag latest': { set: ['image.tag="latest"'], says: /\/image\/tag/ },
  'no number of replicas': { set: ['defaults.replicas="two"'], says: /\/defaults\/replicas/ },
  'an unknown mode': { set: ['mode="ha"'], says: /\/mode.*allInOne.*distributed/s },
  'replicas of the pod with the data directory': {
    set: ['processes.all={"replicas":2}'],
    says: /\/processes\/all\/replicas/,
  },
  'TLS between processes that are one': {
    set: ['tls.mode="certManager"'],
    says: /\/tls\/mode.*'off'/s,
  },
  'a bundled server beside the built-in one': {
    set: ['bundled.postgresql.enabled=true'],
    says: /\/bundled\/postgresql\/enabled/,
  },
  'a secret key that is in the data directory': {
    set: ['secrets.FIGBASE_SECRET_KEY={"value":"x"}'],
    says: /\/secrets\/FIGBASE_SECRET_KEY/,
  },
  'processes without a database': { set: without('DATABASE_URL'), says: /'DATABASE_URL'/ },
  'processes without objects': {
    set: servers.slice(0, 2),
    says: /'S3_ACCESS_KEY'/,
  },
  'half of the settings of S3': { set: without('S3_BUCKET'), says: /'S3_BUCKET'/ },
  'two PostgreSQL': {
    set: [...servers, 'bundled.postgresql.enabled=true'],
    says: /\/secrets\/DATABASE_URL/,
  },
  'two NATS': {
    set: [...servers, 'bundled.nats.enabled=true', 'secrets.NATS_URL={"value":"nats://x"}'],
    says: /\/secrets\/NATS_URL/,
  },
  'two Redis': {
    set: [...servers, 'bundled.redis.enabled=true', 'secrets.REDIS_URL={"value":"redis://x"}'],
    says: /\/secrets\/REDIS_URL/,
  },
  'two S3': { set: [...servers, 'bundled.minio.enabled=true'], says: /\/secrets\/S3_ACCESS_KEY/ },
  'a server behind no pooler': {
    set: ['secrets.DATABASE_DIRECT_URL={"existingSecret":"x"}'],
    says: /'DATABASE_URL'/,
  },
  'mail without a sender': {
    set: ['secrets.SMTP_URL={"existingSecret":"x"}'],
    says: /'MAIL_FROM'/,
  },
  'Typesense without a key': {
    set: ['settings.TYPESENSE_URL="https://x.example"'],
    says: /'TYPESENSE_API_KEY'/,
  },
  'half of the keys of AWS': {
    set: ['secrets.FIGBASE_AWS_ACCESS_KEY={"existingSecret":"x"}'],
    says: /'FIGBASE_AWS_SECRET_KEY'/,
  },
  'routes without a host': { set: ['ingress.enabled=true'], says: /\/publicUrl/ },
  'an Ingress and routes of the Gateway API': {
    set: [
      ...hosts,
      'ingress.enabled=true',
      'gatewayApi={"enabled":true,"parentRefs":[{"name":"x"}]}',
    ],
    says: /\/gatewayApi\/enabled/,
  },
  'routes that are attached to nothing': {
    set: [...hosts, 'gatewayApi.enabled=true'],
    says: /\/gatewayApi\/parentRefs/,
  },
  'notebooks without an image': {
    set: [...hosts, 'notebooks.enabled=true'],
    says: /\/notebooks\/image/,
  },
  'notebooks without an origin': {
    set: [...hosts.slice(0, 1), 'notebooks={"enabled":true,"image":"x:1"}'],
    says: /\/notebooksUrl/,
  },
  'notebooks at the host of Figbase': {
    set: ['publicUrl="https://a.example"', 'notebooksUrl="https://a.example:8443"'],
    says: /notebooksUrl: its host must not be that of publicUrl/,
  },
  'given certificates without a name for each process': {
    set: [...servers, 'tls={"mode":"existing","existingSecret":"x"}'],
    says: /\/tls\/existingSecret/,
  },
  'an issuer without cert-manager': {
    set: [
      ...servers,
      'tls={"mode":"existing","existingSecret":"x-{process}","issuer":{"name":"x"}}',
    ],
    says: /\/tls\/mode/,
  },
  'more pods at least than at most': {
    set: [...servers, 'processes.gateway={"autoscaling":{"enabled":true,"minReplicas":9}}'],
    says: /processes\.gateway: minReplicas is more than maxReplicas/,
  },
  'dumps of a database without its address': {
    set: [...servers, 'cronJobs.backup.enabled=true'],
    says: /'BACKUP_DATABASE_URL'/,
  },
  'a backup of a database outside': {
    set: ['secrets.DATABASE_URL={"existingSecret":"x"}', 'cronJobs.backup.enabled=true'],
    says: /\/secrets\/DATABASE_URL/,
  },
}
