{{/* Annotations of a hook before an installation or an upgrade. Takes its weight. */}}
{{- define "figbase.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{/* The container of a command. Takes { root, process, settings (the ConfigMap), args, hook, backups }. */}}
{{- define "figbase.commandContainer" -}}
{{- $values := include "figbase.valuesOf" . | fromYaml -}}
{{- $usesData := eq .root.Values.mode "allInOne" -}}
- name: {{ .process }}
  image: {{ include "figbase.image" .root | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command:
    {{- include "figbase.command" .root | nindent 4 }}
  args: {{ .args | toJson }}
  envFrom:
    - configMapRef: { name: {{ .settings }} }
  {{- with include "figbase.env" . | trim }}
  env:
    {{- . | nindent 4 }}
  {{- end }}
  resources:
    {{- toYaml $values.resources | nindent 4 }}
  securityContext:
    {{- include "figbase.containerSecurity" .root | nindent 4 }}
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
    {{- if $usesData }}
    - { name: data, mountPath: {{ .root.Values.data.mountPath }} }
    {{- end }}
    {{- if .backups }}
    - { name: backups, mountPath: /backups }
    {{- end }}
{{- end }}
