import { find, type Rendered, type Row } from './policy.js'

/** The environment of a container: name to value, or to where its secret is. */
export function environmentOf({ container }: Row, rendered: Rendered): Record<string, string> {
  const shared = (container.envFrom ?? []).flatMap(({ configMapRef }) =>
    Object.entries(find(rendered, 'ConfigMap', configMapRef.name)?.data ?? {}),
  )
  const own = (container.env ?? []).map(({ name, value }): [string, string] => [
    name,
    value ?? standIns[name] ?? 'a secret',
  ])
  return Object.fromEntries([...shared, ...own])
}

const standIns: Record<string, string> = {
  DATABASE_URL: 'postgres://figbase:secret@db.example.org/figbase',
  DATABASE_DIRECT_URL: 'postgres://figbase:secret@db.example.org/figbase',
  NATS_URL: 'nats://figbase:secret@nats.example.org:4222',
  REDIS_URL: 'redis://:secret@redis.example.org:6379',
  SMTP_URL: 'smtp://figbase:secret@mail.example.org:587',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
}
