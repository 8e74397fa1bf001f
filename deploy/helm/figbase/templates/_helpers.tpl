{{- define "figbase.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* The command of the image, which is on its PATH. */}}
{{- define "figbase.command" -}}
- figbase-server
{{- end }}

{{- define "figbase.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- .Values.image.repository -}}{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ $tag }}{{ end -}}
{{- end }}

{{/* Selectors never change, because those of Deployments are immutable. Takes { root, process }. */}}
{{- define "figbase.selector" -}}
app.kubernetes.io/name: figbase
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end }}

{{- define "figbase.labels" -}}
{{ include "figbase.selector" . }}
app.kubernetes.io/part-of: figbase
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* files/processes.yaml. */}}
{{- define "figbase.table" -}}
{{ .Files.Get "files/processes.yaml" }}
{{- end }}

{{/* The names of the processes that run all the time, as a YAML list. */}}
{{- define "figbase.running" -}}
{{- if eq .Values.mode "allInOne" -}}
[all]
{{- else -}}
[gateway, identity, catalog, revisions, comments, compute, search, stories-ai, tasks]
{{- end -}}
{{- end }}

{{/* The values of a process: `defaults` and its own. Takes { root, process }. */}}
{{- define "figbase.valuesOf" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (get .root.Values.processes .process | default dict | deepCopy) | toYaml -}}
{{- end }}

{{/* `true` if more than one pod of the process runs. Takes its values. */}}
{{- define "figbase.isReplicated" -}}
{{- if .autoscaling.enabled }}{{ if gt (int .autoscaling.minReplicas) 1 }}true{{ end }}
{{- else if gt (int .replicas) 1 }}true{{ end -}}
{{- end }}

{{/* Where a secret is, as a secretKeyRef; empty if it is not given. Takes { root, name, hook }. */}}
{{- define "figbase.secretRef" -}}
{{- $values := .root.Values -}}
{{- $given := get $values.secrets .name | default dict -}}
{{- $bundled := dict "DATABASE_URL" "postgresql" "NATS_URL" "nats" "REDIS_URL" "redis" "S3_ACCESS_KEY" "minio" "S3_SECRET_KEY" "minio" -}}
{{- $server := get $bundled .name -}}
{{- $isGenerated := and (eq $values.mode "distributed") (eq .name "FIGBASE_SECRET_KEY") -}}
{{- if $given.existingSecret -}}
{ name: {{ $given.existingSecret }}, key: {{ $given.key | default .name }} }
{{- else if or $given.value $isGenerated -}}
{ name: {{ include "figbase.name" .root }}{{ if .hook }}-migrate{{ end }}, key: {{ .name }} }
{{- else if and $server (get $values.bundled $server).enabled -}}
{ name: {{ include "figbase.name" .root }}-bundled, key: {{ .name }} }
{{- end -}}
{{- end }}

{{/* `true` if a server is used. Takes { root, server } (a row of the table). */}}
{{- define "figbase.isUsed" -}}
{{- $values := .root.Values -}}
{{- $when := .server.when -}}
{{- if eq $when "" }}true
{{- else if eq $when "notebooks" }}{{ if $values.notebooks.enabled }}true{{ end }}
{{- else if get $values.settings $when }}true
{{- else if include "figbase.secretRef" (dict "root" .root "name" $when) }}true
{{- end -}}
{{- end }}

{{/* A number of a values file is a float: 1e+06 would be no valid setting. */}}
{{- define "figbase.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{/* The settings of all processes, without those that only users of a server get. */}}
{{- define "figbase.settings" -}}
{{- range $name, $value := .Values.settings }}
{{- if not (regexMatch "^(S3|TYPESENSE)_" $name) }}
{{ $name }}: {{ include "figbase.text" $value | quote }}
{{- end }}
{{- end }}
{{- with .Values.publicUrl }}
PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- with .Values.notebooksUrl }}
COMPUTE_PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- if .Values.notebooks.enabled }}
COMPUTE_DRIVER: kubernetes
COMPUTE_KUBERNETES_NAMESPACE: {{ .Values.notebooks.namespace }}
COMPUTE_KUBERNETES_IMAGE: {{ .Values.notebooks.image | quote }}
{{- $server := eq .Values.mode "allInOne" | ternary "all" "compute" }}
{{- $door := eq .Values.mode "allInOne" | ternary "all" "gateway" }}
{{- $of := printf "%s:app.kubernetes.io/name=figbase&app.kubernetes.io/instance=%s&app.kubernetes.io/component=" .Release.Namespace .Release.Name }}
COMPUTE_KUBERNETES_CLIENTS: {{ print $of $server | quote }}
COMPUTE_KUBERNETES_DESTINATIONS: {{ printf "%s%s:%v" $of $door .Values.ports.http | quote }}
{{- end }}
MIGRATE_AT_START: {{ not (include "figbase.hasMigrateJob" .) | quote }}
SHUTDOWN_DELAY: {{ .Values.shutdown.delaySeconds }}s
SHUTDOWN_TIMEOUT: {{ .Values.shutdown.timeoutSeconds }}s
FIGBASE_DATA_DIR: {{ .Values.data.mountPath }}
{{- end }}

{{/* A bundled PostgreSQL does not run yet when hooks do. */}}
{{- define "figbase.hasMigrateJob" -}}
{{- if and (eq .Values.mode "distributed") .Values.migrations.job (not .Values.bundled.postgresql.enabled) }}true{{ end -}}
{{- end }}

{{- define "figbase.urlOf" -}}
http{{ if ne .root.Values.tls.mode "off" }}s{{ end }}://{{ include "figbase.name" .root }}-{{ .process }}.{{ .root.Release.Namespace }}.svc:{{ .root.Values.ports.rpc }}
{{- end }}

{{/* The environment of a container besides the ConfigMap. Takes { root, process }, and `hook` for one that runs before the release. */}}
{{- define "figbase.env" -}}
{{- $root := .root -}}
{{- $process := .process -}}
{{- $hook := .hook -}}
{{- $table := include "figbase.table" $root | fromYaml -}}
{{- $row := get $table.processes $process -}}
{{- $values := include "figbase.valuesOf" . | fromYaml -}}
{{- $env := dict -}}
{{- range $row.ports }}
{{- $port := get $table.ports . }}
{{- $_ := set $env $port.setting (get $root.Values.ports . | toString) }}
{{- $_ := set $env $port.host $root.Values.listen }}
{{- end }}
{{- range $row.calls }}
{{- $_ := set $env (printf "%s_URL" (. | upper | replace "-" "_")) (include "figbase.urlOf" (dict "root" $root "process" .)) }}
{{- end }}
{{- if and (ne $root.Values.tls.mode "off") (has "rpc" (concat $row.ports (empty $row.calls | ternary list (list "rpc")))) }}
{{- range $setting, $file := dict "CERT" "tls.crt" "KEY" "tls.key" "CA" "ca.crt" }}
{{- $_ := set $env (printf "RPC_TLS_%s_FILE" $setting) (printf "/tls/%s" $file) }}
{{- end }}
{{- end }}
{{- range $row.servers }}
{{- $server := get $table.servers . }}
{{- with $server.settings }}
{{- $prefix := . }}
{{- range $name, $value := $root.Values.settings }}
{{- if hasPrefix $prefix $name }}{{ $_ := set $env $name (include "figbase.text" $value) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (has "s3" $row.servers) $root.Values.bundled.minio.enabled }}
{{- $_ := set $env "S3_ENDPOINT" (printf "http://%s-minio:9000" (include "figbase.name" $root)) }}
{{- $_ := set $env "S3_BUCKET" "figbase" }}
{{- end }}
{{- range $name, $value := $values.settings }}
{{- $_ := set $env $name (include "figbase.text" $value) }}
{{- end }}
{{- range $name, $value := $env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- $names := list }}
{{- range $name, $readers := $table.secrets }}{{ if has $process $readers }}{{ $names = append $names $name }}{{ end }}{{ end }}
{{- range $row.servers }}{{ $names = concat $names (get $table.servers .).secrets }}{{ end }}
{{- range $name := $names | sortAlpha }}
{{- with include "figbase.secretRef" (dict "root" $root "name" $name "hook" $hook) }}
- { name: {{ $name }}, valueFrom: { secretKeyRef: {{ . }} } }
{{- end }}
{{- end }}
{{- end }}

{{/* Restricted Pod Security Standard. Takes the user id. */}}
{{- define "figbase.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "figbase.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* What all pods of a process have besides containers and volumes. Takes { root, process }. */}}
{{- define "figbase.pod" -}}
{{- $values := include "figbase.valuesOf" . | fromYaml -}}
serviceAccountName: {{ include "figbase.name" .root }}-{{ .process }}
automountServiceAccountToken: {{ include "figbase.needsToken" . | eq "true" }}
enableServiceLinks: false
securityContext:
  {{- include "figbase.podSecurity" 10001 | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Only the process that runs notebooks calls the API of Kubernetes. Takes { root, process }. */}}
{{- define "figbase.needsToken" -}}
{{- if and .root.Values.notebooks.enabled (has .process (list "compute" "all")) }}true{{ end -}}
{{- end }}

{{/* Labels and annotations of a pod. Takes { root, process }. */}}
{{- define "figbase.podMetadata" -}}
{{- $values := include "figbase.valuesOf" . | fromYaml -}}
labels:
  {{- include "figbase.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  {{- with .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with $values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  {{- /* Processes read settings and secrets at their start: a change replaces the pods. */}}
  figbase/settings: {{ printf "%s%s" (include "figbase.settings" .root) (.root.Values.secrets | toYaml) | sha256sum | trunc 16 | quote }}
  {{- with $values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
