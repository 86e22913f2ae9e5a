// What the page of webhooks says, in Spanish.
import type { WebhookMessages } from '../index.ts';

export const webhooks: WebhookMessages = {
  'Webhooks': 'Webhooks',
  'Webhook': 'Webhook',
  'Working': 'Funciona',
  'Failing': 'Falla',
  'Inactive': 'Inactivo',
  'Taken': 'Recibido',
  'Delivered up to': 'Entregado hasta',
  'Failing since': 'Falla desde',
  'Resume': 'Reanudar',
  'Post a test message': 'Enviar un mensaje de prueba',
  'New secret': 'Nuevo secreto',
  'Make a new secret for {name}?': '¿Crear un secreto nuevo para {name}?',
  'Messages are signed with the new secret at once: the receiver refuses them until it has it.': 'Los mensajes se firman enseguida con el secreto nuevo: el receptor los rechaza hasta que lo tenga.',
  'Secret of {name}': 'Secreto de {name}',
  'Give it to whoever runs the receiver over a secure connection. It is not shown again.': 'Entréguelo por una conexión segura a quien gestione el receptor. No se vuelve a mostrar.',
  'Messages to {name} go on at once.': 'Los mensajes a {name} siguen enseguida.',
  '{name} took the test message.': '{name} recibió el mensaje de prueba.',
  'Messages of late': 'Últimos mensajes',
  'None since the node was started.': 'Ninguno desde que arrancó el nodo.',
  'Answer': 'Respuesta',
  'Where each change of the map is posted, such as https://www.example.org/netml. Put no secret into it: it is shown in the log.': 'Adónde se envía cada cambio del mapa, por ejemplo https://www.example.org/netml. No ponga en ella ningún secreto: aparece en el registro.',
  'HTTP only: changes of the map may travel where others can read them.': 'Solo HTTP: los cambios del mapa pueden viajar por donde otros puedan leerlos.',
  'Trusted certificates': 'Certificados de confianza',
  'In PEM form; empty: those of the system.': 'En formato PEM; vacío: los del sistema.',
};
