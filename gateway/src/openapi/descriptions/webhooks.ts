/** Members of webhooks and their deliveries. */
export const webhooks: Record<string, string> = {
  active: 'Whether events are sent.',
  events: 'Names of events, such as `figure.created`, `figure.*`, or `*`.',
  objects: 'Only events of one of these objects, or below it. Empty: all.',
  payload: '`thin`: ids and links. `full`: the object, too.',
  failing_since: 'The first failure since the last success, or null.',
  secret: 'With it, the receiver verifies the signature of each request.',
  webhook: 'The id of the webhook.',
  attempts: 'How often it was sent.',
  last_attempt: 'The last request and its response; null before it.',
  next_attempt_on: 'When it is sent again, or null.',
  duration_ms: 'How long it took, in milliseconds.',
  request_body: 'What was sent.',
  response_status: 'The HTTP status; null for no response.',
}
