/** The settings that most installations decide, in the order of the document. */
export const everydaySettings = [
  'FIGBASE_DATA_DIR',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'DATABASE_URL',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'REDIS_URL',
  'NATS_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'OIDC_ISSUER',
  'SIGN_UP_ENABLED',
  'ADMIN_PASSWORD',
  'DELETED_RETENTION',
  'OPERATIONS_PORT',
  'LOG_LEVEL',
]

export type Topic = { title: string; names: RegExp }

/** A setting belongs to the first topic that matches its name. */
export const topics: Topic[] = [
  {
    title: 'Processes',
    names:
      /^(FIGBASE_(DATA_DIR|DEBUG|REPLICAS)|HOST|PORT|PUBLIC_URL|ENVIRONMENT|LOG_LEVEL|SHUTDOWN_|SERVER_CHECK_)/,
  },
  { title: 'Database', names: /^(DATABASE_|MIGRATE_)/ },
  {
    title: 'Object stores',
    names: /^(S3_|FIGBASE_AWS_|FIGBASE_DEFAULT_VENDOR|OUTBOUND_|STORAGE_)/,
  },
  { title: 'Mail', names: /^(SMTP_|MAIL_)/ },
  {
    title: 'Accounts and sign-in',
    names:
      /^(SIGN_UP_|ADMIN_|OIDC_|DEVICE_LOGIN_INTERVAL|(?!METADATA_|INVITATION_|COMPUTE_).*_LIFETIME$)/,
  },
  { title: 'Limits against abuse', names: /_PER_(MINUTE|HOUR)_|^(TRUSTED_PROXIES|REDIS_)/ },
  {
    title: 'HTTP requests',
    names:
      /^(JSON_|UPLOAD_(BODY|MEMBER|OBJECTS)_|BODY_|REFUSED_|HEADER|CONNECTIONS_|CALL_|IDLE_|KEEP_ALIVE_|EVENT_HEARTBEAT|EVENT_STREAMS_|PAGE_|BATCH_|IDEMPOTEN|DEPRECATED_)/,
  },
  { title: 'Keys and profiles', names: /^(API_KEYS_|SSH_KEY|PASSWORD_|USER_PROFILE_|AVATAR_)/ },
  { title: 'Search', names: /^(SEARCH_|EMBEDDER|OCR_|TYPESENSE_)/ },
  { title: 'AI and notebooks', names: /^(AI_|METADATA_)/ },
  { title: 'Compute instances', names: /^COMPUTE_/ },
  {
    title: 'Workspaces and sharing',
    names:
      /^(CHILDREN_|NAME_|DESCRIPTION_|MEMBERS_|SHARES_|INVITATION|ORGANIZATION_|LINK_|ACTIVITY_|STALE_)/,
  },
  { title: 'Retention', names: /_RETENTION$|^(COLLECT_|PENDING_|UPLOAD_EXPIRY)/ },
  { title: 'Stories', names: /^(STORY_|CHROMIUM_)/ },
  { title: 'Revisions and uploads', names: /^(REVISION_|UPLOAD|HASH_|SHORT_ID_|AUTO_ASSIGN_)/ },
  {
    title: 'Images and extracted text',
    names: /^(IMAGE|DRAWING|EXTRACTED_|TEXT|RENDER|THUMBNAIL_)/,
  },
  { title: 'Git repositories', names: /^GIT_/ },
  { title: 'Comments', names: /^(COMMENT|MENTIONS_|REACTIONS_)/ },
  { title: 'Tasks and jobs', names: /^(TASK_|JOB_)/ },
  { title: 'Events', names: /^(NATS_|EVENT_)/ },
  { title: 'Webhooks', names: /^WEBHOOK/ },
  { title: 'Notifications', names: /^NOTIFICATION_/ },
  { title: 'Billing', names: /^(BILLING_|STRIPE_)/ },
  { title: 'gRPC and calls between processes', names: /^(RPC_|GRPC_)/ },
  { title: 'Metrics and traces', names: /^(OPERATIONS_|OTEL_|TRACE)/ },
]
