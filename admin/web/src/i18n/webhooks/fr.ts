// What the page of webhooks says, in French.
import type { WebhookMessages } from '../index.ts';

export const webhooks: WebhookMessages = {
  'Webhooks': 'Webhooks',
  'Webhook': 'Webhook',
  'Working': 'En marche',
  'Failing': 'En échec',
  'Inactive': 'Inactif',
  'Taken': 'Reçu',
  'Delivered up to': 'Remis jusqu’à',
  'Failing since': 'En échec depuis',
  'Resume': 'Reprendre',
  'Post a test message': 'Envoyer un message d’essai',
  'New secret': 'Nouveau secret',
  'Make a new secret for {name}?': 'Créer un nouveau secret pour {name} ?',
  'Messages are signed with the new secret at once: the receiver refuses them until it has it.': 'Les messages sont signés aussitôt avec le nouveau secret : le destinataire les refuse tant qu’il ne l’a pas.',
  'Secret of {name}': 'Secret de {name}',
  'Give it to whoever runs the receiver over a secure connection. It is not shown again.': 'Transmettez-le par une connexion sûre à qui gère le destinataire. Il ne sera plus affiché.',
  'Messages to {name} go on at once.': 'Les messages à {name} reprennent aussitôt.',
  '{name} took the test message.': '{name} a reçu le message d’essai.',
  'Messages of late': 'Derniers messages',
  'None since the node was started.': 'Aucun depuis le démarrage du nœud.',
  'Answer': 'Réponse',
  'Where each change of the map is posted, such as https://www.example.org/netml. Put no secret into it: it is shown in the log.': 'Où chaque modification de la carte est envoyée, par exemple https://www.example.org/netml. N’y mettez aucun secret : elle figure au journal.',
  'HTTP only: changes of the map may travel where others can read them.': 'HTTP seulement : les modifications de la carte peuvent passer là où d’autres peuvent les lire.',
  'Trusted certificates': 'Certificats de confiance',
  'In PEM form; empty: those of the system.': 'Au format PEM ; vide : ceux du système.',
};
