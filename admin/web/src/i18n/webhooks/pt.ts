// What the page of webhooks says, in Portuguese.
import type { WebhookMessages } from '../index.ts';

export const webhooks: WebhookMessages = {
  'Webhooks': 'Webhooks',
  'Webhook': 'Webhook',
  'Working': 'A funcionar',
  'Failing': 'A falhar',
  'Inactive': 'Inativo',
  'Taken': 'Recebida',
  'Delivered up to': 'Entregue até',
  'Failing since': 'A falhar desde',
  'Resume': 'Retomar',
  'Post a test message': 'Enviar uma mensagem de teste',
  'New secret': 'Novo segredo',
  'Make a new secret for {name}?': 'Criar um novo segredo para {name}?',
  'Messages are signed with the new secret at once: the receiver refuses them until it has it.': 'As mensagens são assinadas de imediato com o novo segredo: o recetor recusa-as até o ter.',
  'Secret of {name}': 'Segredo de {name}',
  'Give it to whoever runs the receiver over a secure connection. It is not shown again.': 'Entregue-o por uma ligação segura a quem gere o recetor. Não volta a ser mostrado.',
  'Messages to {name} go on at once.': 'As mensagens a {name} continuam de imediato.',
  '{name} took the test message.': '{name} recebeu a mensagem de teste.',
  'Messages of late': 'Últimas mensagens',
  'None since the node was started.': 'Nenhuma desde o arranque do nó.',
  'Answer': 'Resposta',
  'Where each change of the map is posted, such as https://www.example.org/netml. Put no secret into it: it is shown in the log.': 'Para onde é enviada cada alteração do mapa, por exemplo https://www.example.org/netml. Não ponha nela nenhum segredo: aparece no registo.',
  'HTTP only: changes of the map may travel where others can read them.': 'Só HTTP: as alterações do mapa podem passar por onde outros as possam ler.',
  'Trusted certificates': 'Certificados de confiança',
  'In PEM form; empty: those of the system.': 'No formato PEM; vazio: os do sistema.',
};
